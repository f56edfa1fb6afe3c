// What all scripts of this folder share: the host's API, with the address and
// the token that the provider's configuration gives.
//
//   config            { api }      such as "https://api.example.net"
//   sensitive config  { token }

/** A record as the API has it. */
export interface DnsRecord {
  zone: string;
  name: string;
  type: "A" | "CNAME" | "TXT";
  value: string;
  /** How long others may remember it, in seconds. */
  ttl: number;
}

interface Config {
  api?: string;
  sensitive?: { token?: string };
}

export class Api {
  readonly #address: string;
  readonly #token: string;
  readonly #signal: AbortSignal;

  /** Of a call's context. */
  constructor({ config, signal }: { config: unknown; signal: AbortSignal }) {
    const { api, sensitive } = (config ?? {}) as Config;
    if (!api || !sensitive?.token) {
      throw new Error(
        "The provider's configuration needs the `api` in `config` and the " +
          "`token` in `sensitive_config`.",
      );
    }
    this.#address = api;
    this.#token = sensitive.token;
    this.#signal = signal;
  }

  /** Asks for what must be there. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.#send(method, path, body);
    return await answer.json();
  }

  /** Asks for what may have gone. */
  async find<T>(path: string): Promise<T | undefined> {
    const answer = await this.#send("GET", path, undefined, 404);
    return answer.status === 404 ? undefined : await answer.json();
  }

  /** Removes what may have gone already. */
  async remove(path: string): Promise<void> {
    await this.#send("DELETE", path, undefined, 404);
  }

  async #send(method: string, path: string, body: unknown, expected?: number) {
    const answer = await fetch(this.#address + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}` },
      body: body === undefined ? undefined : JSON.stringify(body),
      // So that an interrupted run does not wait.
      signal: this.#signal,
    });
    if (!answer.ok && answer.status !== expected) {
      const said = await answer.text();
      throw new Error(`${method} ${path}: ${answer.status} ${said}`);
    }
    return answer;
  }
}
