import { defineContract } from '../../contract/index.ts'
import type { SessionState } from './schema.ts'

const KEYS = ['Phase', 'Mode', 'ConfidenceLevel', 'Next', 'Gates', 'ActiveProfile']

export default defineContract<SessionState>({
  id: 'session-state.v1',
  title: 'Session state',
  formats: ['yaml', 'json'],
  recognise: {
    declares: v => Object.hasOwn(v, 'SESSION_STATE'),
    isNamed: name => /(?:^|\/)SESSION_STATE\.(?:ya?ml|json)$/.test(name),
    signature: v => KEYS.filter(key => Object.hasOwn(v, key)).length >= 3,
    keys: KEYS,
    wrapper: 'SESSION_STATE',
  },
  // A state has no author, session or time.
  header: () => ({}),
})
