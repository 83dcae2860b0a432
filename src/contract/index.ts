/**
 * Contracts, rules, diagnostics, and the engine that checks a document against a contract.
 *
 * A contract is a schema and rules for one document type in one major version. A rule sees the value and a context;
 * facts from outside come only through the context. Diagnostics are data: collected, never thrown. A document with
 * any error is not accepted.
 *
 * Must not know any particular contract, and must not read files, the clock or the environment.
 */
export {
  checkDocument,
  type Override,
  type Result,
  refuse,
  type Suppression,
} from './check.ts'
export {
  type Contract,
  defineContract,
  type Fields,
  type Header,
  headerOf,
  type LoadedContract,
  type Schema,
  type Validate,
  versionOf,
} from './contract.ts'
export type { CodeMeaning, Diagnostic, Finding, Severity } from './diagnostic.ts'
export { discretion } from './discretion.ts'
export {
  type Files,
  type Found,
  hashAt,
  inOtherForm,
  isMatched,
  type Kind,
  kindAt,
  sameLetters,
} from './files.ts'
export { DEFAULT_TENANT, missionCommand, tenantFlag } from './mission-command.ts'
export { as, type Recognised, recognise, unrecognised } from './recognise.ts'
export type { Context, Fact, Facts, Missing, Rule, Rules } from './rule.ts'
export {
  completed,
  inSchemaOrder,
  type MissingPart,
  missingParts,
  unknownFields,
  withoutUnknownFields,
} from './shape.ts'
export { checkStructure } from './structure.ts'
export {
  type AppliedStep,
  type Checked,
  findUpgrade,
  newestUpgrade,
  runUpgrade,
  type UpgradeStep,
} from './upgrade.ts'
export { majorVersion, minorVersion } from './version.ts'
export { counted, listed, nearest, quote, shellWord, spelled, withoutSecrets } from './wording.ts'
