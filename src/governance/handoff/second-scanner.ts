import type { Span } from '../../document/index.ts'

/** A suspected credential, and its kind. */
export interface Suspicion {
  readonly kind: string
  readonly span: Span
}

/** An optional second scanner. */
export type Scanner = (text: string) => Promise<readonly Suspicion[]>

let loading: Promise<Scanner | undefined> | undefined

/** The second scanner, if installed; loaded once. */
export function loadSecondScanner(): Promise<Scanner | undefined> {
  loading ??= openSecondScanner()
  return loading
}

async function openSecondScanner(): Promise<Scanner | undefined> {
  try {
    const [{ lintSource }, { rules: all }, { secretLintProfiler }] = await Promise.all([
      import('@secretlint/core'),
      import('@secretlint/secretlint-rule-preset-recommend'),
      import('@secretlint/profiler'),
    ])
    // Otherwise it keeps a profiling mark of every call for the life of the process.
    secretLintProfiler.setEnabled(false)
    const scanners = withoutComments(all)
    const rules = scanners.map(rule => ({ id: rule.meta.id, rule }))
    const isSuspicious = firstLook(scanners)
    return async text => {
      if (!isSuspicious(text)) return []
      const { messages } = await lintSource({
        source: { ...AS_FILE, content: text },
        options: { config: { rules }, noPhysicFilePath: true },
      })
      return messages.map(({ ruleId, range: [start, end] }) => ({
        kind: ruleId.replace(/^.*secretlint-rule-/, '').replaceAll('-', ' '),
        span: { start, end },
      }))
    }
  } catch (error) {
    // Optional dependency: the built-in scanner reads every text anyway.
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

const AS_FILE = { filePath: 'handoff.json', ext: '.json', contentType: 'text' } as const

type Rules = typeof import('@secretlint/secretlint-rule-preset-recommend').rules
type Rule = Rules[number]
type RuleContext = Parameters<Rule['create']>[0]
type Source = Parameters<NonNullable<ReturnType<Rule['create']>['file']>>[0]

/** A sender must not switch the scanner off with a comment. */
function withoutComments(rules: Rules): Rules {
  return rules.filter(({ meta }) => !meta.id.endsWith('filter-comments'))
}

/**
 * Reports whether any rule finds anything in a text. The scanner rebuilds all its rules per text, which costs more
 * than running them, and few texts contain a match.
 *
 * If this check fails, the text counts as suspicious and the scanner runs in full.
 */
function firstLook(rules: Rules): (text: string) => boolean {
  let reported = false
  const context = {
    sharedOptions: {},
    createTranslator: () => () => ({ message: '', messageId: '' }),
    report: () => {
      reported = true
    },
    ignore: () => undefined,
  } as unknown as RuleContext
  const looks = rules.map(rule => rule.create(context, {}).file)
  const finishes = (look: (typeof looks)[number], source: Source) => look?.(source) === undefined
  return text => {
    // The scanner strips a byte order mark.
    if (text.startsWith('\ufeff')) return true
    reported = false
    try {
      const source = { ...AS_FILE, content: text } as Source
      return !looks.every(look => finishes(look, source)) || reported
    } catch {
      return true
    }
  }
}
