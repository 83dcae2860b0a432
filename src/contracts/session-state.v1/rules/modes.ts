import { counted, listed, quote, type Rules } from '../../../contract/index.ts'
import { confidenceRubric } from '../confidence.ts'
import { ENOUGH } from '../confidence-scale.ts'
import { parseNext, producesCode } from '../next.ts'
import { isFull, whyFull } from '../output-mode.ts'
import { hasReached } from '../phases.ts'
import type { SessionState } from '../schema.ts'

const LONGEST_MIN = 40
const FAR_OFF = 20
const SURFACE = ['MustDecideNow', 'CanDefer', 'AutoDecidedBySystem'] as const

/** That mode, confidence and the amount of detail fit each other. */
export const modeRules = {
  'full-when-required': {
    severity: 'error',
    summary:
      'At an explicit gate, while blocked and below a confidence of 70 the state is written in full.',
    why: 'These are the moments at which someone has to judge the state, and the short form leaves out what to judge by.',
    reads: ['/Phase', '/Mode', '/ConfidenceLevel'],
    *check(state) {
      const reason = whyFull(state)
      if (reason === undefined || isFull(state)) return
      yield {
        path: reason.path,
        message: `${reason.text}, and the state is in its short form`,
        hint: 'add what there is to judge by: RepoMapDigest, WorkingSet, TouchedSurface, GateArtifacts; before discovery, BuildEvidence and what has to be decided (DecisionSurface)',
      }
    },
  },
  'min-is-short': {
    severity: 'warning',
    summary: 'A state in its short form has at most 40 lines.',
    why: 'The short form is repeated in every response; length there costs attention each time.',
    reads: ['/Phase'],
    *check(state, { document }) {
      if (isFull(state)) return
      const lines = linesIn(document.text)
      if (lines <= LONGEST_MIN) return
      yield {
        path: [],
        message: `the short form has ${counted(lines, 'line')}, more than ${LONGEST_MIN}`,
        hint: 'keep what the next step needs, and leave the rest to the full form',
      }
    },
  },
  'no-advance-below-70': {
    severity: 'error',
    summary: 'Below a confidence of 70 the mode is DRAFT or BLOCKED.',
    why: 'In any other mode the session would go on by itself on ground it does not trust.',
    reads: ['/ConfidenceLevel', '/Mode'],
    *check({ ConfidenceLevel, Mode }) {
      if (ConfidenceLevel === undefined || ConfidenceLevel >= ENOUGH) return
      if (Mode === 'DRAFT' || Mode === 'BLOCKED') return
      yield {
        path: ['Mode'],
        message: `the mode is ${Mode ?? 'missing'} at a confidence of ${ConfidenceLevel}`,
        hint: 'write DRAFT, or BLOCKED and the input that is missing',
      }
    },
  },
  'no-code-below-70': {
    severity: 'error',
    summary: 'Below a confidence of 70 no code-producing step comes next.',
    why: 'Code written on a guess looks like code written on knowledge.',
    reads: ['/ConfidenceLevel', '/Next'],
    *check({ ConfidenceLevel, Next }) {
      if (ConfidenceLevel === undefined || ConfidenceLevel >= ENOUGH || Next === undefined) return
      if (!producesCode(Next)) return
      yield {
        path: ['Next'],
        message: `${quote(Next)} produces code, at a confidence of ${ConfidenceLevel}`,
        hint: 'name the step that raises the confidence, or BLOCKED- and the input that is missing',
      }
    },
  },
  'blocked-names-input': {
    severity: 'error',
    summary: 'A blocked session names in `Next` the input that it waits for, after `BLOCKED-`.',
    why: 'Whoever could unblock the session has to know with what.',
    reads: ['/Mode', '/Next'],
    *check({ Mode, Next }) {
      const pointer = Next === undefined ? undefined : parseNext(Next)
      const unnamed = pointer?.kind === 'blocked' && pointer.reason === ''
      if (!unnamed && (Mode !== 'BLOCKED' || pointer?.kind === 'blocked')) return
      const fault =
        Next === undefined ? 'Next is missing' : `${quote(Next)} does not begin with BLOCKED-`
      yield {
        path: ['Next'],
        message: unnamed
          ? `${quote(Next)} names no missing input`
          : `the mode is BLOCKED, and ${fault}`,
        hint: 'write BLOCKED- and the least that is missing, such as BLOCKED-consumer-inventory',
      }
    },
  },
  'blocked-next-has-mode': {
    severity: 'warning',
    summary: '`Next` begins with `BLOCKED-` only while the mode is BLOCKED.',
    why: 'The mode says that the session may go on, and the next step that it may not.',
    reads: ['/Mode', '/Next'],
    *check({ Mode, Next }) {
      if (Mode === undefined || Mode === 'BLOCKED' || Next === undefined) return
      if (parseNext(Next).kind !== 'blocked') return
      yield {
        path: ['Mode'],
        message: `the mode is ${Mode}, and the next step is ${quote(Next)}`,
        hint: 'write BLOCKED, or the step that comes next',
      }
    },
  },
  'confidence-as-calibrated': {
    severity: 'info',
    summary: 'The stated confidence lies within 20 points of what the rubric gives.',
    why: 'A confidence that the document does not bear out is a feeling.',
    applies: state => isFull(state) && hasReached(state, '2.1'),
    *check(state) {
      const stated = state.ConfidenceLevel
      const { score, items } = confidenceRubric(state)
      if (stated === undefined || Math.abs(stated - score) < FAR_OFF) return
      const counted = items.filter(item => item.counts)
      const sum = counted.map(({ points, about }) => `${points > 0 ? '+' : ''}${points} ${about}`)
      yield {
        path: ['ConfidenceLevel'],
        message: `the confidence is stated as ${stated}, and the rubric gives ${score}`,
        hint:
          sum.length > 0 ? `counted: ${sum.join('; ')}` : 'nothing in the document counts for it',
      }
    },
  },
  'architect-only-has-surface': {
    severity: 'error',
    summary: 'In `architect-only` mode the decision surface is there with its three lists.',
    why: 'The mode shows little else: without the lists, nobody sees what there is to decide.',
    reads: ['/OutputMode', '/DecisionSurface'],
    *check({ OutputMode, DecisionSurface = {} }) {
      if (OutputMode !== 'architect-only') return
      const missing = SURFACE.filter(key => DecisionSurface[key] === undefined)
      if (missing.length === 0) return
      yield {
        path: ['DecisionSurface'],
        message: `the output mode is architect-only, and DecisionSurface lacks ${listed(missing)}`,
        hint: 'add the lists; one without entries is empty',
      }
    },
  },
} satisfies Rules<SessionState>

function linesIn(text: string): number {
  const lines = text.split(/\r\n|\r|\n/)
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}
