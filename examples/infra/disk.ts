// What all scripts of this folder share: the disk that everything is on.

/** An object as a file, below the folder that the provider's configuration names. */
export class Disk {
  readonly #root: string;

  /** Of a call's context. */
  constructor({ config }: { config: unknown }) {
    const { root } = (config ?? {}) as { root?: string };
    if (!root) throw new Error("The provider's configuration has no `root`.");
    this.#root = root;
  }

  path(name: string): string {
    return `${this.#root}/${name}`;
  }

  async write(name: string, content: unknown): Promise<void> {
    const path = this.path(name);
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, JSON.stringify(content) + "\n");
  }

  /** `undefined` if there is none. */
  async read<T>(name: string): Promise<T | undefined> {
    try {
      return JSON.parse(await Deno.readTextFile(this.path(name)));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /** Adds a line to a text. */
  async append(name: string, line: string): Promise<void> {
    await Deno.mkdir(this.#root, { recursive: true });
    await Deno.writeTextFile(this.path(name), line + "\n", { append: true });
  }

  /** Removes what may have gone already. */
  async remove(name: string): Promise<void> {
    try {
      await Deno.remove(this.path(name));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
