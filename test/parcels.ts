import {
  type Contract,
  defineContract,
  type Fields,
  type LoadedContract,
  type UpgradeStep,
  type Validate,
} from '../src/contract/index.ts'
import type { UpgradeCatalogue } from '../src/operations/upgrade/catalogue.ts'

/** A contract of parcels that only wants one key to be a number. */
function parcels(major: number, key: string): LoadedContract {
  const contract: Contract = defineContract<Fields>({
    id: `parcel.v${major}`,
    title: 'Parcel',
    formats: ['json', 'yaml', 'markdown'],
    recognise: {
      declares: v => Object.hasOwn(v, 'parcel_version') || Object.hasOwn(v, 'sections'),
      keys: [],
      wrapper: 'parcel',
    },
    header: () => ({}),
    states: v => v.parcel_version ?? (v.frontmatter as Fields | undefined)?.parcel_version,
  })
  const validate: Validate = value => {
    const fields = value as Fields
    const sound = typeof ((fields.frontmatter as Fields | undefined) ?? fields)[key] === 'number'
    validate.errors = sound
      ? []
      : [{ keyword: 'required', instancePath: '', params: { missingProperty: key } }]
    return sound
  }
  return { contract, validate, schema: {}, rules: {} }
}

const loaded = [parcels(1, 'weight'), parcels(2, 'grams')]
/** The steps from 1.0 to 1.1 and on to 2.0. */
export const STEPS: readonly UpgradeStep[] = [
  {
    contract: 'parcel',
    from: '1.0',
    to: '1.1',
    summary: 'Parcels may carry a note.',
    upgrade: value => ({ value: { ...value, parcel_version: '1.1.0', note: 'none' } }),
  },
  {
    contract: 'parcel',
    from: '1.1',
    to: '2.0',
    summary: 'Weight is in grams.',
    upgrade: ({ weight, colour: _, ...value }) => ({
      value: { ...value, parcel_version: '2.0.0', grams: Number(weight) * 454 },
      moved: [{ from: '/weight', to: '/grams' }],
      lost: [{ path: '/colour', why: 'parcels are no longer sorted by colour' }],
    }),
  },
]

/** A catalogue of a contract that only tests know, in two major versions. */
export const CATALOGUE: UpgradeCatalogue = {
  contracts: loaded.map(l => l.contract),
  steps: STEPS,
  load: async contract => loaded.find(l => l.contract === contract) ?? parcels(0, ''),
}
