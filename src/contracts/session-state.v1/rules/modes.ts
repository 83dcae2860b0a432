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

/** The rules that relate mode, confidence and amount of detail. */
export const modeRules = {
  'full-when-required': {
    severity: 'error',
    summary: 'At an explicit gate, while blocked and below a confidence of 70, the state is FULL.',
    why: 'A person must judge the state at these points, and the short form lacks what is needed.',
    reads: ['/Phase', '/Mode', '/ConfidenceLevel'],
    *check(state) {
      const reason = whyFull(state)
      if (reason === undefined || isFull(state)) return
      yield {
        path: reason.path,
        message: `${reason.text}, but the state is in its short form`,
        hint: 'add RepoMapDigest, WorkingSet, TouchedSurface and GateArtifacts; before discovery, add BuildEvidence and the open decisions (DecisionSurface)',
      }
    },
  },
  'min-is-short': {
    severity: 'warning',
    summary: 'A state in its short form has at most 40 lines.',
    why: 'Every response repeats the short form, so each line costs attention.',
    reads: ['/Phase'],
    *check(state, { document }) {
      if (isFull(state)) return
      const lines = linesIn(document.text)
      if (lines <= LONGEST_MIN) return
      yield {
        path: [],
        message: `the short form has ${counted(lines, 'line')}, more than ${LONGEST_MIN}`,
        hint: 'keep what the next step needs, and move the rest to the full form',
      }
    },
  },
  'no-advance-below-70': {
    severity: 'error',
    summary: 'Below a confidence of 70 the mode is DRAFT or BLOCKED.',
    why: 'In any other mode, the session would continue unsupervised without enough confidence.',
    reads: ['/ConfidenceLevel', '/Mode'],
    *check({ ConfidenceLevel, Mode }) {
      if (ConfidenceLevel === undefined || ConfidenceLevel >= ENOUGH) return
      if (Mode === 'DRAFT' || Mode === 'BLOCKED') return
      yield {
        path: ['Mode'],
        message: `the mode is ${Mode ?? 'missing'} at a confidence of ${ConfidenceLevel}`,
        hint: 'write DRAFT, or BLOCKED with the missing input',
      }
    },
  },
  'no-code-below-70': {
    severity: 'error',
    summary: 'Below a confidence of 70, the next step does not produce code.',
    why: 'Code based on a guess looks like code based on knowledge.',
    reads: ['/ConfidenceLevel', '/Next'],
    *check({ ConfidenceLevel, Next }) {
      if (ConfidenceLevel === undefined || ConfidenceLevel >= ENOUGH || Next === undefined) return
      if (!producesCode(Next)) return
      yield {
        path: ['Next'],
        message: `${quote(Next)} produces code, at a confidence of ${ConfidenceLevel}`,
        hint: 'name a step that raises the confidence, or BLOCKED- and the missing input',
      }
    },
  },
  'blocked-names-input': {
    severity: 'error',
    summary: 'A blocked session names the missing input in `Next`, after `BLOCKED-`.',
    why: 'A person who can unblock the session must see what is missing.',
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
          : `the mode is BLOCKED, but ${fault}`,
        hint: 'write BLOCKED- and the missing input, such as BLOCKED-consumer-inventory',
      }
    },
  },
  'blocked-next-has-mode': {
    severity: 'warning',
    summary: '`Next` begins with `BLOCKED-` only while the mode is BLOCKED.',
    why: 'The mode allows the session to continue, but the next step does not.',
    reads: ['/Mode', '/Next'],
    *check({ Mode, Next }) {
      if (Mode === undefined || Mode === 'BLOCKED' || Next === undefined) return
      if (parseNext(Next).kind !== 'blocked') return
      yield {
        path: ['Mode'],
        message: `the mode is ${Mode}, but the next step is ${quote(Next)}`,
        hint: 'set the mode to BLOCKED, or name the next step',
      }
    },
  },
  'confidence-as-calibrated': {
    severity: 'info',
    summary: 'The stated confidence is within 20 points of the rubric.',
    why: 'A confidence that the document does not support is a guess.',
    applies: state => isFull(state) && hasReached(state, '2.1'),
    *check(state) {
      const stated = state.ConfidenceLevel
      const { score, items } = confidenceRubric(state)
      if (stated === undefined || Math.abs(stated - score) < FAR_OFF) return
      const counted = items.filter(item => item.counts)
      const sum = counted.map(({ points, about }) => `${points > 0 ? '+' : ''}${points} ${about}`)
      yield {
        path: ['ConfidenceLevel'],
        message: `the confidence is ${stated}, but the rubric gives ${score}`,
        hint:
          sum.length > 0 ? `counted: ${sum.join('; ')}` : 'nothing in the document counts for it',
      }
    },
  },
  'architect-only-has-surface': {
    severity: 'error',
    summary: 'In `architect-only` mode, the decision surface has its three lists.',
    why: 'The mode shows little else, so without the lists the decisions are invisible.',
    reads: ['/OutputMode', '/DecisionSurface'],
    *check({ OutputMode, DecisionSurface = {} }) {
      if (OutputMode !== 'architect-only') return
      const missing = SURFACE.filter(key => DecisionSurface[key] === undefined)
      if (missing.length === 0) return
      yield {
        path: ['DecisionSurface'],
        message: `the output mode is architect-only, but DecisionSurface lacks ${listed(missing)}`,
        hint: 'add the lists; they may be empty',
      }
    },
  },
} satisfies Rules<SessionState>

function linesIn(text: string): number {
  const lines = text.split(/\r\n|\r|\n/)
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}
