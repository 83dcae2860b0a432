/** What can be wrong with us or the world around us; what is wrong with a document is a diagnostic instead. */
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
  /** How a process that ends with this error exits. */
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
  // Somebody else was faster; nothing was lost, and trying again may succeed.
  conflict: { exitCode: 2, status: 409, rpc: -32603 },
  // What was to be decided on is at fault, or who would decide: the same again is refused again.
  'not-approved': { exitCode: 1, status: 409, rpc: -32603 },
  'input-output': { exitCode: 2, status: 500, rpc: -32603 },
  'ledger-tampered': { exitCode: 1, status: 409, rpc: -32603 },
  'store-unavailable': { exitCode: 2, status: 503, rpc: -32603 },
  interrupted: { exitCode: 130, status: 503, rpc: -32603 },
  internal: { exitCode: 3, status: 500, rpc: -32603 },
}

/** Carried by the errors of every copy of the class: each door of the package holds one of its own. */
const MARK = Symbol.for('waybill.error')

/** The one error class: about us or the world, never about a document. */
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

  /** What one door throws, the class of another one catches; classes derived from it tell their own errors alone. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore-start lint/complexity/noThisInStatic: a class that inherits it is asked for itself
    const isOwn = Function.prototype[Symbol.hasInstance].call(this, value)
    return isOwn || (this === WaybillError && value instanceof Error && MARK in value)
    // biome-ignore-end lint/complexity/noThisInStatic: a class that inherits it is asked for itself
  }

  get [MARK](): true {
    return true
  }

  /** How every surface answers this error. */
  get answer(): Answer {
    return ANSWERS[this.code]
  }
}
