/**
 * Everything the product can do: one use case per file, declared once, from which every surface is derived.
 *
 * May not print; read argv, environment or headers.
 */

export type { CheckOutput, DocumentReport, ReportedDiagnostic } from './check/report.ts'
export { default as check } from './check.ts'
export type { App, InputSchema, Operation } from './operation.ts'
