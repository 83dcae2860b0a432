/** Error codes for misuse and for failures of the environment; faults of a document are diagnostics. */
export type ErrorCode =
  | 'usage'
  | 'configuration'
  | 'not-found'
  | 'exists'
  | 'conflict'
  | 'not-approved'
  | 'input-output'
  | 'ledger-tampered'
  | 'store-unavailable'
  | 'interrupted'
  | 'internal'

interface Answer {
  /** The exit code of a process that ends with this error. */
  readonly exitCode: 1 | 2 | 3 | 130
  /** The HTTP status of a problem response (RFC 9457). */
  readonly status: number
  /** The JSON-RPC error code. */
  readonly rpc: number
}

const ANSWERS: Readonly<Record<ErrorCode, Answer>> = {
  usage: { exitCode: 2, status: 400, rpc: -32602 },
  configuration: { exitCode: 2, status: 500, rpc: -32603 },
  'not-found': { exitCode: 2, status: 404, rpc: -32602 },
  exists: { exitCode: 2, status: 409, rpc: -32602 },
  // Another process was faster. Nothing was lost; a retry may succeed.
  conflict: { exitCode: 2, status: 409, rpc: -32603 },
  // The subject or the approver was refused; a retry is refused again.
  'not-approved': { exitCode: 1, status: 409, rpc: -32603 },
  'input-output': { exitCode: 2, status: 500, rpc: -32603 },
  'ledger-tampered': { exitCode: 1, status: 409, rpc: -32603 },
  'store-unavailable': { exitCode: 2, status: 503, rpc: -32603 },
  interrupted: { exitCode: 130, status: 503, rpc: -32603 },
  internal: { exitCode: 3, status: 500, rpc: -32603 },
}

/** Marks errors of every copy of the class: each entry point of the package bundles its own. */
const MARK = Symbol.for('waybill.error')

/** The one error class: for misuse and the environment, never for a faulty document. */
export class WaybillError extends Error {
  readonly code: ErrorCode
  /** What the reader can do about it. */
  readonly hint: string | undefined

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'WaybillError'
    this.code = code
    this.hint = options.hint
  }

  /** Lets `instanceof` recognise errors of another entry point; subclasses match only their own instances. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore-start lint/complexity/noThisInStatic: subclasses check against themselves
    const isOwn = Function.prototype[Symbol.hasInstance].call(this, value)
    return isOwn || (this === WaybillError && value instanceof Error && MARK in value)
    // biome-ignore-end lint/complexity/noThisInStatic: subclasses check against themselves
  }

  get [MARK](): true {
    return true
  }

  /** The exit code, HTTP status and JSON-RPC code of this error. */
  get answer(): Answer {
    return ANSWERS[this.code]
  }
}
