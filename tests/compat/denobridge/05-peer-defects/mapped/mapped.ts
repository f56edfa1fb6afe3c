// @ts-ignore: only the import map beside this file knows it
import { greeting } from "greeting";
import { serve } from "../../lib/rpc.ts";
await serve({ read: () => ({ result: greeting }) });
