// Healthy, and then never answers.
import { serve } from "../rpc.ts";

await serve({ create: () => new Promise(() => setInterval(() => {}, 1000)) });
