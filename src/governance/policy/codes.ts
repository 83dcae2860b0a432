import type { CodeMeaning } from '../../contract/index.ts'
import { error, warning } from '../code.ts'

/** Codes of invalid policies, and of decisions that no policy made. */
export const POLICY_CODES = {
  'policy/unreadable': error(
    'Every policy file and folder is readable.',
    'An unreadable forbid would have no effect, so no decision is made without it.',
    'Make it readable, or remove it.',
  ),
  'policy/outside': error(
    'Policies are in their folder; no link leads out of the repository.',
    'A file outside is not reviewed with the rest, and others may change it.',
    'Copy the file into the folder.',
  ),
  'policy/encoding': error(
    'A policy file is UTF-8 text.',
    'Tools decode invalid UTF-8 differently.',
    'Save the file as UTF-8.',
  ),
  'policy/hidden-text': error(
    'A policy contains no invisible characters.',
    'Otherwise a reviewer would see a different policy from the one that is evaluated.',
    'Remove the character.',
  ),
  'policy/too-large': error(
    'Policies stay within the limits of number and length.',
    'Every policy is evaluated for every decision.',
    'Merge policies that apply the same rule to several agents or tools: a policy can name a set.',
  ),
  'policy/too-complex': error(
    'Policies stay within the nesting depth and chain length that the engine supports.',
    'Otherwise the engine would fail during a decision.',
    'Write several policies, or one that names a set instead of many alternatives.',
  ),
  'policy/syntax': error(
    'A policy is well-formed Cedar, ends with a semicolon, and has no slots.',
    'A policy that cannot be parsed decides nothing.',
    'Fix the place that is shown.',
  ),
  'policy/type': error(
    'A policy uses only names and types from the schema, and tests optional attributes with has.',
    'With a misspelled attribute it would fail, or never apply.',
    'Correct the name or the type; test optional attributes with has first.',
  ),
  'policy/duplicate-id': error(
    'No two policies have the same id.',
    'Decisions record the ids of the policies that made them, so ids must be unique.',
    'Change one @id.',
  ),
  'policy/annotation': {
    severity: 'depends',
    summary:
      '@id, @reason, @remedy and @needs have values, are on policies where they apply, and are the only annotations.',
    why: 'A misspelled or misplaced annotation would be ignored, for example an approval that is never requested.',
    remedy:
      'Correct it: @id is letters, digits, dots, hyphens and underscores; @needs belongs to a forbid.',
  },
  'policy/widens-handoff': error(
    'No permit of a repository applies to handoffs.',
    'Contract rules decide which handoffs are allowed; policies can only restrict them further.',
    'Name the intended actions (useTool, readData, writeBack), or write a forbid.',
  ),
  'policy/never-applies': warning(
    'Every policy applies to some request.',
    'A policy that never applies protects nothing.',
    'Correct its conditions, or remove it.',
  ),
  'policy/unknown-agent': warning(
    'Every agent that a policy names is in the manifest or waybill.yaml.',
    'A misspelled id matches no agent: a forbid that names it never applies.',
    'Correct the id, or list the agent first.',
  ),
  'policy/agents-not-compared': warning(
    'The agents that policies name are compared with those of the manifest.',
    'Without a manifest, misspelled ids go undetected: a forbid that names one never applies.',
    'Add the manifest, or set its path under agents in waybill.yaml, and check again.',
  ),
  'policy/confusable': warning(
    'Each name in a policy uses a single script.',
    'A lookalike letter from another script makes a name that matches nothing.',
    'Retype the name.',
  ),
  'policy/failed': error(
    'The policies reach a decision.',
    'If the request does not fit the schema or the engine fails, a forbid may have applied; so the request is denied.',
    'Fix what the message names; waybill policy check lists the errors in the policies.',
  ),
  'policy/no-permit': error(
    'At least one policy permits the request.',
    'Requests are denied by default.',
    'Request something in scope, or add a permit for it.',
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>

/** A code of an invalid policy, or of a decision that no policy made. */
export type PolicyCode = keyof typeof POLICY_CODES
