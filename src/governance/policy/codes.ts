import type { CodeMeaning } from '../../contract/index.ts'
import { error, warning } from '../code.ts'

/** What can be wrong with policies, and what a decision says where no policy of a person or of ours made it. */
export const POLICY_CODES = {
  'policy/unreadable': error(
    'Every file and folder among the policies can be read.',
    'A forbid that cannot be read forbids nothing, so nothing is decided without it.',
    'Make it readable, or take it away.',
  ),
  'policy/outside': error(
    'Policies stand in their folder; no link leads out of the repository.',
    'What lies outside is not reviewed with the rest, and may be changed by somebody else.',
    'Copy the file into the folder.',
  ),
  'policy/encoding': error(
    'A policy file is text in UTF-8.',
    'Bytes that are no UTF-8 are read differently everywhere.',
    'Save the file as UTF-8.',
  ),
  'policy/hidden-text': error(
    'A policy holds no character that a person does not see.',
    'Whoever reviews the policy would read something else than what is decided by.',
    'Take the character out.',
  ),
  'policy/too-large': error(
    'There are no more policies, and no longer ones, than are decided by within a moment.',
    'Each of them is asked at every decision.',
    'Bring together what says the same of several agents or tools: a policy can name a set of them.',
  ),
  'policy/too-complex': error(
    'No policy is nested deeper, or chained longer, than the engine can follow.',
    'The engine would give up in the middle of a decision.',
    'Write several policies, or one that names a set instead of many alternatives.',
  ),
  'policy/syntax': error(
    'A policy is well-formed Cedar, ends with a semicolon, and has no slots.',
    'What cannot be read decides nothing.',
    'Mend the place that is shown.',
  ),
  'policy/type': error(
    'A policy speaks only of what the schema knows, in its types, and looks whether optional facts are there.',
    'A misspelled fact would make it fail, or never apply, when it matters.',
    'Correct the name or the type; facts that may be absent are tested with has first.',
  ),
  'policy/duplicate-id': error(
    'No two policies have the same id.',
    'Decisions are recorded with the ids of the policies that made them; two with one name cannot be told apart.',
    'Give one of them another @id.',
  ),
  'policy/annotation': {
    severity: 'depends',
    summary:
      '@id, @reason, @remedy and @needs say something, stand where they count, and are the only annotations.',
    why: 'A misspelled or misplaced annotation is passed over, and a person waits for an answer that never comes.',
    remedy:
      'Correct it: @id is letters, digits, dots, hyphens and underscores; @needs belongs to a forbid.',
  },
  'policy/widens-handoff': error(
    'No permit of a repository speaks of handoffs.',
    'Whether a handoff may be is decided by the rules of its contract; policies can only narrow that.',
    'Name the actions that are meant (useTool, readData, writeBack), or write a forbid.',
  ),
  'policy/never-applies': warning(
    'Every policy applies to some request.',
    'One that never applies protects nothing, whatever its author believes.',
    'Correct what it asks for, or take it away.',
  ),
  'policy/unknown-agent': warning(
    'Every agent that a policy names is one that the manifest or waybill.yaml knows.',
    'A misspelled id is that of nobody: a forbid that names it never applies.',
    'Correct the id, or list the agent first.',
  ),
  'policy/agents-not-compared': warning(
    'The agents that policies name are compared with those of the manifest.',
    'Where no manifest is found, a misspelled id stays unseen: a forbid that names it never applies.',
    'Put the manifest where it belongs, or name it under agents in waybill.yaml, and check again.',
  ),
  'policy/confusable': warning(
    'Names in a policy are written in one script.',
    'A letter of another script that looks alike makes a name that nobody has.',
    'Type the name anew.',
  ),
  'policy/failed': error(
    'The policies come to a decision.',
    'A request that the schema does not know, or an engine that fails, leaves open what a forbid would have said; so it is denied.',
    'Mend what the message names; waybill policy check shows what is wrong with the policies themselves.',
  ),
  'policy/no-permit': error(
    'Some policy permits what is asked.',
    'What nobody permits is denied.',
    'Ask for what is in scope, or have somebody write a permit for it.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** A code of something wrong with policies, or of a decision that no policy made. */
export type PolicyCode = keyof typeof POLICY_CODES
