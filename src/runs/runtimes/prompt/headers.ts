import { RunFailure } from '#src/runs/failure.ts'
import { secretsIn } from '#src/agents/secrets/sendings.ts'
import { mustGo } from '#src/runs/runtimes/must-go.ts'
import { render } from '#src/runs/template.ts'
import type { Desk } from './desk.ts'

const headersAtMost = 50
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/
/** What HTTP lets stand in a header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * A map of texts as headers, with `{{name}}` filled in by the run's variables and input and
 * `{{secret.NAME}}` by the secrets that its task selects.
 * @param url the address that they are sent to
 * @throws RunFailure naming the header that cannot be sent; never with its value
 */
export function headersFrom(desk: Desk, named: unknown, url: string): Record<string, string> {
  const { secrets, variables, work } = desk
  if (typeof named !== 'object' || named === null || Array.isArray(named)) return {}
  const templates = Object.entries(named)
  if (templates.length > headersAtMost) throw invalid(`there are more than ${headersAtMost}`)
  const headers = templates.map(([name, template]: [string, unknown]) => {
    if (!headerName.test(name)) throw invalid(`"${name.slice(0, 100)}" is no name of a header`)
    if (typeof template !== 'string') throw invalid(`"${name}" is not given as a text`)
    const known = secretsIn(template).filter((one) => Object.hasOwn(secrets, one))
    mustGo(work.task, known, url)
    const value = render(template, work.run.input, variables, { secrets })
    if (!headerValue.test(value)) throw invalid(`"${name}" holds what no header can`)
    return [name.toLowerCase(), value] as const
  })
  return Object.fromEntries(headers)
}

function invalid(what: string): RunFailure {
  return new RunFailure('tool_header_invalid', `The headers of a tool cannot be sent: ${what}.`)
}
