import type { CheckOutput, DocumentReport } from '../../operations/check/output.ts'

/** A JUnit report: one test case per document, failed when rejected. */
export function junit(output: CheckOutput): string {
  const { documents, rejected } = output.summary
  const cases = output.documents.map(testCase)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="waybill check" tests="${documents}" failures="${rejected}">`,
    `  <testsuite name="waybill check" tests="${documents}" failures="${rejected}" errors="0" skipped="0">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')
}

function testCase(document: DocumentReport): string {
  const name = attribute(document.path)
  const contract = attribute(document.contract ?? 'unrecognised')
  const opening = `    <testcase name="${name}" classname="waybill.${contract}"`
  const lines = document.diagnostics.map(
    d =>
      `${d.line}:${d.column} ${d.severity} ${d.code} ${d.message}${d.hint ? ` (${d.hint})` : ''}`,
  )
  if (document.accepted) {
    if (lines.length === 0) return `${opening}/>`
    return `${opening}>\n      <system-out>${escapeXml(lines.join('\n'))}</system-out>\n    </testcase>`
  }
  const errors = document.diagnostics.filter(d => d.severity === 'error')
  const message = attribute(errors[0]?.message ?? 'rejected')
  return [
    `${opening}>`,
    `      <failure message="${message}" type="${attribute(errors[0]?.code ?? '')}">${escapeXml(lines.join('\n'))}</failure>`,
    '    </testcase>',
  ].join('\n')
}

function attribute(text: string): string {
  return escapeXml(text)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;')
}

/** Escapes markup and replaces characters that XML 1.0 does not allow. */
function escapeXml(text: string): string {
  return (
    text
      .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // XML parsers read a bare carriage return as a line feed.
      .replaceAll('\r', '&#13;')
  )
}
