import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import { type Agent, agentsOf, type Collaboration, type Manifest } from './agents.ts'
import { decideBoundary } from './boundaries.ts'

const domain = (id: string, scope: string, collaboration: Collaboration = {}) => ({
  [id]: { name: id, file: `${id}.md`, canonical_id: id, version: '1.0.0', scope, collaboration },
})
const archetype = (
  id: string,
  composition: Record<string, number>,
  collaboration: Collaboration = {},
) => ({
  [id]: {
    name: id,
    file: `${id}.md`,
    canonical_id: id,
    version: '1.0.0',
    purpose: 'composition',
    composition,
    collaboration,
  },
})

const MANIFEST: Manifest = {
  domains: {
    ...domain('writing', 'Articles and headlines', {
      hands_to: ['numbers', 'pictures'],
      out_of_scope: [
        { topic: 'prices and contracts', redirect: 'law' },
        { topic: 'performance statistics', redirect: 'numbers' },
      ],
    }),
    ...domain('numbers', 'Statistics of performance', { hands_to: ['pictures'] }),
    ...domain('pictures', 'Charts, photographs and drawings'),
    ...domain('law', 'Licences, contracts and prices'),
  },
  archetypes: {
    ...archetype('editor', { writing: 50, pictures: 30, numbers: 20 }, { hands_to: ['critic'] }),
    ...archetype('critic', { writing: 60, law: 40 }),
  },
  orchestrators: domain('desk', 'Passes work on'),
}

const without = (...sections: (keyof Manifest)[]): Manifest => ({
  ...MANIFEST,
  ...Object.fromEntries(sections.map(section => [section, {}])),
})

function decide(from: string, to: string, request = '', manifest = MANIFEST) {
  const agents = agentsOf(manifest)
  const find = (id: string): Agent => {
    const agent = agents.find(id)
    if (!agent) throw new Error(`no agent ${id}`)
    return agent
  }
  return decideBoundary(find(from), find(to), agents, request)
}

describe('may hand over:', () => {
  test.each([
    ['a domain to a domain in its hands_to', 'writing', 'numbers'],
    ['a domain to any archetype', 'law', 'editor'],
    ['a domain to an archetype that it is part of', 'writing', 'editor'],
    ['an archetype to one of its constituents', 'editor', 'pictures'],
    ['an archetype to an agent in its hands_to', 'editor', 'critic'],
    ['an orchestrator to anyone', 'desk', 'law'],
    ['an orchestrator to anyone composed', 'desk', 'critic'],
    ['anyone back to an orchestrator', 'law', 'desk'],
    ['anyone composed back to an orchestrator', 'critic', 'desk'],
  ])('%s', (_, from, to) => {
    expect(decide(from, to)).toEqual({ allowed: true })
  })
})

describe('may not hand over:', () => {
  test.each([
    [
      'a domain back to the domain that may hand over to it',
      'numbers',
      'writing',
      'a domain may hand over',
    ],
    [
      'a domain to where it redirects, without hands_to',
      'writing',
      'law',
      'a domain may hand over',
    ],
    [
      'an archetype to a domain that is no part of it',
      'editor',
      'law',
      'an archetype may hand over',
    ],
    ['an archetype to an archetype', 'critic', 'editor', 'an archetype may hand over'],
    ['an orchestrator to itself', 'desk', 'desk', 'an orchestrator may hand over'],
  ])('%s', (_, from, to, rule) => {
    expect(decide(from, to)).toMatchObject({
      allowed: false,
      rule: expect.stringContaining(rule),
    })
  })

  test('an archetype to an orchestrator’s namesake among its parts that is no domain', () => {
    const manifest = {
      ...MANIFEST,
      archetypes: { ...MANIFEST.archetypes, ...archetype('odd', { editor: 50, writing: 50 }) },
    }
    expect(decide('odd', 'editor', '', manifest).allowed).toBe(false)
    expect(decide('odd', 'writing', '', manifest).allowed).toBe(true)
  })
})

describe('the nearest permitted agent is', () => {
  test.each([
    [
      'the one that a matching topic redirects to',
      'writing',
      'law',
      'How did the articles perform?',
      'numbers',
      'performance statistics',
    ],
    [
      'by composition, when the topic leads to one that is not permitted',
      'writing',
      'law',
      'Which prices?',
      'critic',
      '40 percent of it',
    ],
    [
      'the archetype with most of the target',
      'numbers',
      'writing',
      '',
      'critic',
      '60 percent of it',
    ],
    [
      'the domain that is most of the target',
      'critic',
      'editor',
      '',
      'writing',
      "50 percent of 'editor'",
    ],
  ])('%s', (_, from, to, request, nearest, reason) => {
    expect(decide(from, to, request)).toMatchObject({
      nearest: { agent: { id: nearest }, reason: expect.stringContaining(reason) },
    })
  })

  test('the archetype that the source is part of, between equals', () => {
    const manifest = {
      ...MANIFEST,
      archetypes: {
        ...archetype('first', { law: 50, writing: 50 }),
        ...archetype('second', { law: 50, numbers: 50 }),
      },
    }
    expect(decide('numbers', 'law', '', manifest)).toMatchObject({
      nearest: { agent: { id: 'second' } },
    })
  })

  test('by words of scope, when no archetype has the target', () => {
    const manifest = without('archetypes')
    expect(decide('writing', 'law', 'A chart with drawings', manifest)).toMatchObject({
      nearest: {
        agent: { id: 'pictures' },
        reason: expect.stringContaining('shares the most words'),
      },
    })
  })

  test('an orchestrator, when nothing else is nearer', () => {
    expect(decide('pictures', 'law', '', without('archetypes'))).toMatchObject({
      nearest: { agent: { id: 'desk' } },
      mediator: { id: 'desk' },
    })
  })

  test('none, when no agent is permitted', () => {
    const decision = decide('pictures', 'law', '', without('archetypes', 'orchestrators'))
    expect(decision).toEqual({ allowed: false, rule: expect.any(String) })
  })

  test('found among ten thousand, for many handoffs', async () => {
    const many = Object.assign(
      {},
      ...Array.from({ length: 10_000 }, (_, i) => domain(`d${i}`, `Field ${i} and its words`)),
    )
    const ids = Object.keys(many)
    const manifest: Manifest = {
      domains: { ...many, ...domain('source', 'Source', { hands_to: ids.slice(1) }) },
      archetypes: {},
    }
    const ms = await cpuTimeOf(() => {
      for (let i = 0; i < 20; i++)
        expect(decide('source', 'd0', 'word', manifest).allowed).toBe(false)
    })
    expect(ms).toBeLessThan(3000)
  })
})
