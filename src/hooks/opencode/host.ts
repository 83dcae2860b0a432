/** What `waybill hook opencode` answers. */
export interface Answer {
  readonly context?: string
  readonly deny?: string
  readonly ask?: string
  readonly notice?: string
}

/** What both versions of OpenCode offer, in the same words. */
export interface Host {
  readonly folders: readonly string[]
  /** Sends the agent a message. */
  prompt(session: string, text: string): Promise<unknown>
  /** Shows the user a line. */
  show(line: string): Promise<unknown>
}

/** The parts of the plugin interface of OpenCode 1 that are used. */
export interface Input1 {
  readonly directory: string
  readonly worktree: string
  readonly client: {
    readonly session: {
      prompt(request: {
        path: { id: string }
        body: { parts: { type: 'text'; text: string }[] }
      }): Promise<unknown>
    }
    readonly tui: {
      showToast(request: { body: { message: string; variant: 'warning' } }): Promise<unknown>
    }
  }
}

export interface Event1 {
  readonly type: string
  readonly properties: {
    readonly sessionID?: string
    readonly info?: { readonly id?: string; readonly parentID?: string }
    readonly [other: string]: unknown
  }
}

/** The parts of the plugin interface of OpenCode 2 that are used. */
export interface Context2 {
  readonly options?: unknown
  readonly location?: { readonly directory?: string }
  readonly session?: {
    get(request: { sessionID: string }): Promise<{ readonly parentID?: string }>
    prompt(request: { sessionID: string; text: string }): Promise<unknown>
    hook(name: 'context' | 'compaction', callback: (event: System2) => Promise<void>): unknown
  }
  readonly tool?: {
    hook(name: 'execute.before', callback: (event: Call2) => Promise<void>): unknown
  }
  readonly event?: { subscribe(): AsyncIterable<Event2> }
}

export interface System2 {
  readonly sessionID: string
  readonly system: { type: 'text'; text: string }[]
}

export interface Call2 {
  readonly sessionID: string
  readonly tool: string
  readonly input: unknown
}

export interface Event2 {
  readonly type: string
  readonly location?: { readonly directory?: string }
  readonly data?: { readonly sessionID?: string; readonly parentID?: string }
}
