/** Why untrusted input is invalid; returned, never thrown. */
export interface Faulty {
  readonly fault: string
}
