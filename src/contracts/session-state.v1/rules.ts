import type { Rules } from '../../contract/index.ts'
import type { SessionStateFacts } from './facts.ts'
import { changeRules } from './rules/changes.ts'
import { discoveryRules } from './rules/discovery.ts'
import { evidenceRules } from './rules/evidence.ts'
import { gateRules } from './rules/gates.ts'
import { modeRules } from './rules/modes.ts'
import { nextRules } from './rules/next.ts'
import { profileRules } from './rules/profile.ts'
import { recommendedKeys } from './rules/recommended.ts'
import { shortcutRules } from './rules/shortcuts.ts'
import { transitionRules } from './rules/transition.ts'
import type { SessionState } from './schema.ts'

export const rules = {
  ...profileRules,
  ...modeRules,
  ...nextRules,
  ...gateRules,
  ...evidenceRules,
  ...changeRules,
  ...discoveryRules,
  ...shortcutRules,
  'recommended-keys': recommendedKeys,
  ...transitionRules,
} satisfies Rules<SessionState, SessionStateFacts>
