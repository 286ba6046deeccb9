import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

const linesOfEach = 12

/**
 * Writes what has failed, or passed only when it was tried again, and why, into the file that
 * FAILURES_FILE names. The JSON report leaves out what fails in a hook of a group, and what no test
 * caught. Where all is well nothing is written.
 */
// oxlint-disable-next-line import/no-default-export -- vitest takes no other from a file
export default class Failures implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], uncaught: readonly SerializedError[]): void {
    const said = modules.flatMap((module) => failuresOf(module))
    for (const error of uncaught) said.push(textOf('FAILED', 'what no test caught', [error]))
    const { FAILURES_FILE: file } = process.env
    if (file !== undefined && said.length > 0) writeFileSync(file, `${said.join('\n')}\n`)
  }
}

function failuresOf(module: TestModule): string[] {
  const file = relative('', module.moduleId)
  const said: string[] = []
  // A file that cannot be loaded has neither groups nor tests.
  if (module.errors().length > 0) said.push(textOf('FAILED', file, module.errors()))
  for (const group of module.children.allSuites()) {
    const errors = group.errors()
    if (errors.length > 0) said.push(textOf('FAILED', `${file} > ${group.fullName}`, errors))
  }
  for (const test of module.children.allTests()) {
    const { state, errors = [] } = test.result()
    const name = `${file} > ${test.fullName}`
    if (state === 'failed') said.push(textOf('FAILED', name, errors))
    else if (errors.length > 0) said.push(textOf('UNSTABLE, to be mended first:', name, errors))
  }
  return said
}

function textOf(how: string, name: string, errors: readonly SerializedError[]): string {
  const texts = errors.map(({ message, stack, diff }) =>
    [...firstOf(stack ?? message), ...firstOf(typeof diff === 'string' ? diff : '')].join('\n'),
  )
  // A test that is tried twice may say the same twice.
  return [`${how}  ${name}`, ...new Set(texts)].join('\n')
}

function firstOf(text: string): string[] {
  const lines = stripVTControlCharacters(text).split('\n')
  return lines
    .filter((line) => line.trim() && !/node_modules|node:internal/.test(line))
    .slice(0, linesOfEach)
    .map((line) => `        ${line}`)
}
