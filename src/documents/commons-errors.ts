import { codesOfCommons, type CodeOfCommons } from '#src/core/commons/codes.ts'
import { inPaths } from '#src/core/words/doors.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import { inWords, type Words } from '#src/core/words/reference.ts'

/** The page of all codes of the Commons, in Markdown: the `docs_url` of a refusal is its section. */
export function commonsErrorsPage(catalog: readonly OperationFacts[]): string {
  const words = inPaths(catalog)
  const sections = codesOfCommons.map((code) => section(code, words))
  return `${[introduction, ...sections].join('\n\n')}\n`
}

const introduction = `# Codes of the Commons

Every refusal under \`/api/commons\` is \`{ok: false, data: null, error, notice}\`, and \`error\` has \`code\`, \`message\`, \`details\`, \`retry_after_s\`, \`hint\`, \`docs_url\` and \`request_id\`, all of them always present, null if empty. A refused call has changed nothing. Branch on \`code\`: it is never renamed. Over MCP and A2A the codes are the same.`

function section({ code, status, means, todo }: CodeOfCommons, words: Words): string {
  return `## ${code}\n\nHTTP status ${status}. ${means}\n\nWhat to do: ${inWords(todo, words)}`
}
