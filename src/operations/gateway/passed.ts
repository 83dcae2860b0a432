import { relative, sep } from 'node:path'
import type { Diagnostic } from '../../contract/index.ts'
import { maskSecrets } from '../../document/index.ts'
import type { Passage } from '../../governance/index.ts'
import type { App } from '../operation.ts'
import type { ReceiveOutput } from '../receive/output.ts'

/** The common output for every handoff that passes a gateway. */
export type PassageOutput = Omit<ReceiveOutput, 'answer' | 'receiptFile' | 'receiptNote'>

/** Converts a passage to output. */
export function toldOf(passage: Passage, origin: string, path: string, app: App): PassageOutput {
  const { claims, at, diagnostics, requirements, quarantined, receipt } = passage
  // An invalid id is not shown: it may be a credential.
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

/** Returns a path relative to the root, with forward slashes. */
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
}: Diagnostic): PassageOutput['diagnostics'][number] {
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
