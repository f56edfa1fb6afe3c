import { ActionProvider, DatasourceProvider } from "../../mod.ts";

new DatasourceProvider({ read: () => 1 });
new ActionProvider({ invoke: () => {} });
