// A data source: all records of a zone.
//
//   props   { zone }
//   result  { serial, records }
import { DatasourceProvider } from "@denobridge/script-sdk";
import { Api, type DnsRecord } from "./api.ts";

export interface Result {
  /** Goes up with every change. */
  serial: number;
  records: DnsRecord[];
}

export default new DatasourceProvider<{ zone: string }, Result>({
  async read({ zone }, context) {
    const api = new Api(context);
    const found = await api.find<{ serial: number }>(`/zones/${zone}`);
    if (!found) throw new Error(`There is no zone ${zone}.`);
    return {
      serial: found.serial,
      records: await api.call("GET", `/zones/${zone}/records`),
    };
  },
});
