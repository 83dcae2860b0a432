import fc from 'fast-check'
import type { PolicyRequest } from '../src/governance/policy/request.ts'
import { data, handoff, tool, writeBack } from './policies.ts'

const pick = (...texts: readonly string[]) => fc.constantFrom(...texts)
const principal = pick(
  ...[
    'principal',
    'principal is Waybill::Agent',
    'principal == Waybill::Agent::"domain-02-analysis"',
  ],
  ...[
    'principal in Waybill::Agent::"domain-05-product"',
    'principal == Waybill::Agent::"\\"//\\u{e9}"',
  ],
)
const action = pick(
  ...['action', 'action == Waybill::Action::"handoff"', 'action == Waybill::Action::"useTool"'],
  'action in [Waybill::Action::"handoff", Waybill::Action::"writeBack"]',
)
const resource = pick(
  ...['resource', 'resource is Waybill::Agent', 'resource is Waybill::Tool'],
  ...['resource == Waybill::Agent::"domain-02-analysis"', 'resource == Waybill::Tool::"shell"'],
  'resource is Waybill::Agent in Waybill::Agent::"domain-02-analysis"',
)
const body = pick(
  ...['true', 'false', 'context.quarantined', 'context.approvals.contains("}")', '"a // {" == "b"'],
  ...[
    'principal.version == "1.0.0" // as of }\n',
    'principal.roles.contains(Waybill::Role::"worker")',
  ],
  ...[
    'context has signed && !context.signed',
    'context has mission && context.mission.risk == Waybill::Risk::"high"',
  ],
  // These fail on some requests and on no others.
  ...[
    'context.ageSeconds + 9223372036854775805 > 0',
    'context.ageSeconds > 1',
    'context.ageSeconds + 9223372036854775807 < context.ageSeconds',
    'context.findings - context.ageSeconds - 9223372036854775807 == 0',
    'resource.sensitivity == 1',
  ],
  ...[
    'if context.quarantined then 1 + 9223372036854775807 == 0 else false',
    '"text"',
    '{a: {b: 1}}.a.b == 1',
  ],
)
const condition = fc
  .tuple(pick('when', 'unless'), body)
  .map(([kind, text]) => `${kind} { ${text} }`)
/** A plausible policy; it may fail on some requests. */
export const anyPolicy = fc
  .tuple(
    pick('', ...Array(5).fill('@needs("more") '), '@reason("when { so }") ', '@remedy("do") '),
    pick('forbid', 'forbid', 'forbid', 'permit'),
    fc.tuple(principal, action, resource),
    fc.array(condition, { maxLength: 2 }),
  )
  .map(([note, effect, head, rest]) => `${note}${effect} (${head.join(', ')}) ${rest.join(' ')};`)

/** Mostly what is sound, so that the policies are what decides. */
const mostly = (sound: unknown, ...others: readonly unknown[]) =>
  fc.constantFrom(...Array<unknown>(8).fill(sound), ...others)
const facts = fc.record({
  ...{ quarantined: mostly(false, true), signed: mostly(true, false), fresh: mostly(true, false) },
  ageSeconds: mostly(3, 0, 2 ** 53, 'old', null),
  approvals: mostly([], ['}'], ['}'], ['\ud800'], 7),
  mission: mostly({ id: 'm', risk: 'high' }, undefined, { id: 'm', risk: 'huge' }),
})
/** A request that is mostly sound. */
export const anyRequest = fc
  .tuple(fc.constantFrom<PolicyRequest>(handoff, handoff, tool, data, writeBack), facts)
  .map(([asked, { signed, fresh, ageSeconds, ...rest }]) => {
    const own = asked.action === 'handoff' ? { signed, fresh, ageSeconds } : {}
    const said = Object.entries({ ...rest, ...own }).filter(([, value]) => value !== undefined)
    return { ...asked, facts: { ...asked.facts, ...Object.fromEntries(said) } } as PolicyRequest
  })
