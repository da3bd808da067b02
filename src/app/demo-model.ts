/** The built-in model that needs no network: an OpenAI-compatible server in this process, on a loopback port. */
export interface DemoModel {
  /** The base URL; starts the server at the first call. */
  url(): Promise<string>;
  stop(): Promise<void>;
}

export function createDemoModel(): DemoModel {
  let starting: Promise<{ readonly url: string; stop(): Promise<void> }> | null = null;
  return {
    url: async () => {
      starting ??= import('../simulator/model/index.ts').then(({ startModel }) => startModel({ demo: true }));
      return (await starting).url;
    },
    stop: async () => {
      await (await starting)?.stop();
    },
  };
}
