/**
 * Everything the product can do: one use case per file, declared once, from which every surface is derived.
 *
 * What an operation answers has a type here and a JSON Schema in `waybill/schemas/output/`.
 *
 * May not print; read argv, environment or headers.
 */
export type { CheckOutput, DocumentReport, ReportedDiagnostic } from './check/output.ts'
export { default as check } from './check.ts'
export type { DoctorItem, DoctorOutput } from './doctor/output.ts'
export { default as doctor } from './doctor.ts'
export type { CodeGroup, ExplainedCode, ExplainOutput } from './explain/output.ts'
export { default as explain } from './explain.ts'
export type { InitOutput, InitStep } from './init/output.ts'
export { default as init } from './init.ts'
export type { App, InputSchema, Operation } from './operation.ts'
export type { ListedContract, SchemaOutput } from './schema/output.ts'
export { default as schema } from './schema.ts'
export type { ListedDocument, ShowOutput, View } from './show/output.ts'
export { default as show } from './show.ts'
