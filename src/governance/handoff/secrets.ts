import type { Diagnostic } from '../../contract/index.ts'
import { type Document, findSecrets, type Span } from '../../document/index.ts'
import { finding } from './finding.ts'
import { loadSecondScanner } from './second-scanner.ts'

const HINT = 'remove it and rotate it: everyone with this text has the credential'

/** What was found, and the scanners that read the text. */
export interface SecretScan {
  readonly diagnostics: readonly Diagnostic[]
  readonly scanners: readonly string[]
}

/**
 * Scans text to be recorded for credentials, with the built-in scanner and, if installed, a second one.
 *
 * Each text is scanned as written and again with escapes decoded: the parsed values, one per line.
 */
export async function scanForSecrets(document: Document, value: unknown): Promise<SecretScan> {
  const second = await loadSecondScanner()
  const texts = [document.text, ...(isPlain(document) ? [] : plainTexts(value))]
  const found: { kind: string; span: Span | undefined }[] = []
  for (const [index, text] of texts.entries()) {
    const spans = [...findSecrets(text), ...(second ? await second(text) : [])]
    for (const { kind, span } of spans) found.push({ kind, span: index === 0 ? span : undefined })
  }
  const diagnostics = merged(found).map(({ kind, span }) =>
    finding(
      'gateway/secret',
      `looks like a credential (${kind})`,
      HINT,
      span && { range: document.range(span) },
    ),
  )
  return { diagnostics, scanners: ['waybill', ...(second ? ['secretlint'] : [])] }
}

/** Whether the text has no escapes to decode: JSON without backslashes. */
function isPlain({ format, text }: Document): boolean {
  return format === 'json' && !text.includes('\\')
}

/** Whether either scanner finds a credential in a text. */
export async function holdsSecret(text: string): Promise<boolean> {
  if (findSecrets(text).length > 0) return true
  const second = await loadSecondScanner()
  return second !== undefined && (await second(text)).length > 0
}

/** The keys and strings of a value, one per line, so that escapes hide nothing. */
function plainTexts(value: unknown): string[] {
  const lines: string[] = []
  JSON.stringify(value, (key, child) => {
    // Keep label and value together: only both are a credential.
    lines.push(typeof child === 'string' ? `${key}: ${child}` : key)
    return child
  })
  return [lines.join('\n')]
}

/** One diagnostic per place; findings without a place count only if there are no others. */
function merged(
  found: readonly { kind: string; span: Span | undefined }[],
): { kind: string; span: Span | undefined }[] {
  const placed = found.filter(({ span }) => span !== undefined)
  const kept: typeof placed = []
  for (const one of placed.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0))) {
    const last = kept.at(-1)
    if (!last || (one.span?.start ?? 0) >= (last.span?.end ?? 0)) kept.push(one)
  }
  return kept.length > 0 ? kept : found.slice(0, 1)
}
