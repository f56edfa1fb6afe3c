// A resource that is a JSON file: everything that was asked for, on disk, where a test can look at it and change it.
//
// props: { file, value, secret?, fail? }. `file` cannot change in place. `secret` comes back as sensitive state.
// Write-only props are never kept: the file says only how long the password is.
import { type Params, RpcError, serve } from "./rpc.ts";

function trace(method: string) {
  const file = Deno.env.get("RECORD_TRACE");
  if (file) Deno.writeTextFileSync(file, method + "\n", { append: true });
}

function write(props: Params, writeOnly: Params) {
  const kept = {
    ...props,
    passwordLength: writeOnly?.password?.length ?? null,
  };
  Deno.writeTextFileSync(props.file, JSON.stringify(kept) + "\n");
  return answer(props);
}

function answer(props: Params) {
  return {
    state: {
      file: props.file,
      length: JSON.stringify(props.value ?? null).length,
    },
    sensitiveState: props.secret === undefined
      ? undefined
      : { token: `token for ${props.secret}` },
  };
}

await serve({
  create({ props, writeOnlyProps }: Params) {
    trace(`create ${props.file}`);
    const result = { id: props.file, ...write(props, writeOnlyProps) };
    if (props.fail === "after create") {
      return {
        ...result,
        diagnostics: [{
          severity: "error",
          summary: "Half done",
          detail: "The record exists, its index does not.",
        }],
      };
    }
    if (props.fail === "create") {
      throw new RpcError(-32001, "the disk is on fire", { since: "yesterday" });
    }
    return result;
  },
  read({ id, props }: Params) {
    trace(`read ${id}`);
    let text: string;
    try {
      text = Deno.readTextFileSync(id);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return { exists: false };
      throw error;
    }
    const { passwordLength: _, ...found } = JSON.parse(text);
    return {
      props: props === null ? found : { ...props, ...found },
      ...answer(found),
    };
  },
  update({ nextProps, nextWriteOnlyProps }: Params) {
    trace(`update ${nextProps.file}`);
    if (nextProps.fail === "update") {
      throw new RpcError(-32002, "the record is locked");
    }
    return write(nextProps, nextWriteOnlyProps);
  },
  delete({ id, props }: Params) {
    trace(`delete ${id}`);
    if (props?.fail === "delete") {
      throw new RpcError(-32003, "the record is needed");
    }
    try {
      Deno.removeSync(id);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    return { done: true };
  },
  modifyPlan({ planType, nextProps, currentProps }: Params) {
    trace(`modifyPlan ${planType}`);
    if (planType === "update" && nextProps?.file !== currentProps?.file) {
      return { requiresReplacement: true };
    }
    return { noChanges: false };
  },
});
