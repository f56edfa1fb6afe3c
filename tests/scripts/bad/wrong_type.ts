// An id must be text.
import { serve } from "../rpc.ts";

await serve({ create: () => ({ id: 42, state: {} }) });
