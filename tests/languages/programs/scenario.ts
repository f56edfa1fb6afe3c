// What every program here does: operations on one stack, with programs that differ, each printed as it is seen from outside.
// scenario.py prints the same.
import * as automation from "@pulumi/pulumi/automation";
import * as fs from "node:fs";

type Program = () => Promise<Record<string, unknown> | void>;

export class Scenario {
  private constructor(readonly stack: automation.Stack) {}

  static async begin(name: string): Promise<Scenario> {
    const nothing = async () => {};
    const stack = await automation.LocalWorkspace.createOrSelectStack(
      { stackName: "dev", projectName: name, program: nothing },
      { workDir: process.cwd() },
    );
    return new Scenario(stack);
  }

  /** `pulumi up`: what was done, and the outputs. */
  async up(heading: string, program: Program): Promise<void> {
    const events = this.next(heading, program);
    const { outputs } = await this.stack.up({ onEvent: events.seen });
    events.print();
    for (const name of Object.keys(outputs).sort()) {
      const { value, secret } = outputs[name];
      console.log(
        `output ${name} = ${JSON.stringify(value)}${secret ? " (secret)" : ""}`,
      );
    }
  }

  /** `pulumi preview`: what would be done. */
  async preview(heading: string, program: Program): Promise<void> {
    const events = this.next(heading, program);
    await this.stack.preview({ onEvent: events.seen });
    events.print();
  }

  /** `pulumi up` that has to fail: what was done nevertheless, and a part of what is said. */
  async refused(
    heading: string,
    program: Program,
    words: RegExp,
  ): Promise<void> {
    const events = this.next(heading, program);
    let said = "it succeeded";
    await this.stack.up({ onEvent: events.seen }).catch((
      error,
    ) => (said = String(error)));
    events.print();
    console.log(`refused: ${said.match(words)?.[0] ?? said}`);
  }

  /** `pulumi destroy`. */
  async destroy(heading: string): Promise<void> {
    const events = this.next(heading);
    await this.stack.destroy({ onEvent: events.seen });
    events.print();
  }

  private next(heading: string, program?: Program): Events {
    console.log(`\n== ${heading}`);
    if (program) this.stack.workspace.program = program;
    return new Events();
  }
}

/** What happens to resources, but for the stack, providers that nobody has asked for, and what stays the same. */
class Events {
  private readonly lines: string[] = [];

  readonly seen = (event: automation.EngineEvent): void => {
    const step = event.resOutputsEvent ?? event.resOpFailedEvent ??
      (event.resourcePreEvent?.planning ? event.resourcePreEvent : undefined);
    if (!step) return;
    const { op, urn, type } = step.metadata;
    const name = urn.split("::").pop() ?? "";
    if (
      op === "same" || type === "pulumi:pulumi:Stack" ||
      /^default(_\d|$)/.test(name)
    ) return;
    const line = `${
      event.resOpFailedEvent ? "failed to " : ""
    }${op} ${type} ${name}`;
    if (!this.lines.includes(line)) this.lines.push(line);
  };

  print(): void {
    console.log(this.lines.sort().join("\n") || "nothing");
  }
}

/** What is on disk. */
export function onDisk(...files: string[]): void {
  for (const file of files) {
    console.log(
      `${file}: ${
        fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : "absent"
      }`,
    );
  }
}

/** The lines of a file in order, each once: how often something was done is not the program's affair. */
export function linesOnDisk(file: string): void {
  const lines = new Set(fs.readFileSync(file, "utf8").trim().split("\n"));
  console.log([...lines].sort().join("\n"));
}
