/** A manifest of one agent, as text. */
export const ONE_AGENT = JSON.stringify({
  version: '1.0.0',
  generated: '2026-01-01T00:00:00Z',
  description: 'one agent',
  taxonomy: {},
  domains: {
    'domain-01-a': {
      name: 'a',
      file: 'a.md',
      canonical_id: 'domain-01-a',
      version: '1.0.0',
      scope: 'all',
    },
  },
  archetypes: {},
  governance: {},
})
