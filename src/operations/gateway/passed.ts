import { relative, sep } from 'node:path'
import type { Diagnostic } from '../../contract/index.ts'
import { maskSecrets } from '../../document/index.ts'
import type { Passage } from '../../governance/index.ts'
import type { App } from '../operation.ts'
import type { ReceiveOutput } from '../receive/output.ts'

/** What is said of every handoff that goes through a gateway. */
export type Told = Omit<ReceiveOutput, 'answer' | 'receiptFile' | 'receiptNote'>

/** What came of a handoff, as it is reported. */
export function toldOf(passage: Passage, origin: string, path: string, app: App): Told {
  const { claims, at, diagnostics, requirements, quarantined, receipt } = passage
  // What is no well-formed id is not shown: it may be a credential.
  const isPlain = claims.source !== undefined && claims.target !== undefined
  return {
    path: path === '-' ? path : maskSecrets(fromRoot(path, app)),
    handoff: claims.handoff ?? null,
    from: claims.source ?? null,
    to: claims.target ?? null,
    at,
    diagnostics: diagnostics.map(reported),
    requirements,
    quarantined,
    attestation: isPlain ? passage.attestation : null,
    origin,
    receipt,
  }
}

/** A path as results show it. */
export function fromRoot(file: string, { root }: App): string {
  return relative(root, file).split(sep).join('/')
}

function reported({
  code,
  severity,
  path,
  range,
  message,
  hint,
}: Diagnostic): Told['diagnostics'][number] {
  const { start, end } = range
  return {
    code,
    severity,
    path,
    line: start.line + 1,
    column: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
    message,
    ...(hint !== undefined && { hint }),
  }
}
