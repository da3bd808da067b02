/** How a server of tools is reached; only the configuration says so. */
export type McpServerConfig = {
  /** Of the configuration; prefixes its tools' names. */
  readonly name: string;
  /** Of one call, in milliseconds. */
  readonly callTimeoutMs: number;
  /** Of connecting and listing the tools, in milliseconds. */
  readonly startTimeoutMs: number;
} & (
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** In addition to what any program needs; nothing else of the process's environment is passed on. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly transport: 'http';
      readonly url: string;
      /** E.g. `Authorization`. Sent to the URL's own origin only. */
      readonly headers: Readonly<Record<string, string>>;
      /** Absent: what is in the headers is all that the server is shown. */
      readonly oauth?: McpOauth;
    }
);

/** How a token is got without anybody at a browser: by the client's own credentials, or a refresh token. */
export interface McpOauth {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** `basic`: the secret goes in the header; `post`: in the form. */
  readonly clientAuth: 'basic' | 'post';
  readonly refreshToken?: string;
  readonly scope?: string;
}

/** Where a server's tokens are kept over restarts; encrypted. */
export interface TokenShelf {
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

/** What an admin sees of a server. */
export interface McpServerStatus {
  readonly name: string;
  readonly state: 'idle' | 'connected' | 'failing';
  readonly tools: number;
  /** What is wrong, in English; no secret. */
  readonly problem?: string;
}
