// A resource: a DNS record.
//
//   props  { zone, name, type, value, ttl? }
//   state  { fqdn }
//   id     ZONE/NAME/TYPE, also for imports
import { type Diagnostic, ResourceProvider } from "@denobridge/script-sdk";
import { Api, type DnsRecord } from "./api.ts";

export interface Props extends Omit<DnsRecord, "ttl"> {
  ttl?: number;
}

export interface State {
  fqdn: string;
}

/** What the host takes where nothing is said. */
const DEFAULT_TTL = 300;

const path = (id: string) => {
  const [zone, name, type] = id.split("/");
  return `/zones/${zone}/records/${name}/${type}`;
};
const state = ({ zone, name }: Props): State => ({ fqdn: `${name}.${zone}` });

export default new ResourceProvider<Props, State>({
  async create(props, context) {
    const { zone, name, type } = props;
    const record = { ...props, ttl: props.ttl ?? DEFAULT_TTL };
    await new Api(context).call("POST", `/zones/${zone}/records`, record);
    return { id: `${zone}/${name}/${type}`, state: state(props) };
  },

  async read(id, known, context) {
    const found = await new Api(context).find<DnsRecord>(path(id));
    if (!found) return { exists: false };
    const { ttl, ...props } = found;
    // A default that nobody has asked for is no difference to what they wrote.
    const isDefault = known?.ttl == null && ttl === DEFAULT_TTL;
    return { props: isDefault ? props : found, state: state(found) };
  },

  async update(id, { value, ttl = DEFAULT_TTL }, _current, { fqdn }, context) {
    await new Api(context).call("PATCH", path(id), { value, ttl });
    return { fqdn };
  },

  async delete(id, _props, _state, context) {
    await new Api(context).remove(path(id));
  },

  modifyPlan(_id, planType, next, current, _state, { unknownPaths }) {
    if (!next) return;
    // What is not known yet is null here, and is looked at when it is known.
    const diagnostics = unknownPaths.length === 0 ? problems(next) : [];
    const moves = planType === "update" &&
      (["zone", "name", "type"] as const).some((key) =>
        next[key] !== current?.[key]
      );
    return { diagnostics, requiresReplacement: moves };
  },

  async list({ zone }: { zone: string }, _query, context) {
    const records = await new Api(context).call<DnsRecord[]>(
      "GET",
      `/zones/${zone}/records`,
    );
    return records.map((record) => ({
      id: `${zone}/${record.name}/${record.type}`,
      displayName: `${record.name}.${zone} ${record.type} ${record.value}`,
      props: record,
      state: state(record),
    }));
  },
});

/** What is wrong can be said while planning, at the property that it is about. */
function problems({ type, value }: Props): Diagnostic[] {
  if (type !== "A" || /^\d{1,3}(\.\d{1,3}){3}$/.test(value)) return [];
  return [{
    severity: "error",
    summary: "Not an address",
    detail: `A record of type A has an IPv4 address, not "${value}".`,
    propPath: ["props", "value"],
  }];
}
