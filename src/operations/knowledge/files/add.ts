import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { encodedFileBytesAtMost, File, filesAtMost } from '#src/core/input/upload.ts'
import { KnowledgeItem } from '#src/knowledge/item.ts'
import { titleOfFile, uploaded } from '#src/knowledge/upload.ts'

export const add = operation({
  name: 'knowledge.files.add',
  summary: 'Add files to the knowledge of an agent.',
  description:
    'HTML, Markdown, text, JSON, CSV, PDF and DOCX, recognized by their content; 10 MB each. ' +
    'They are read soon: the status of each item shows the result.',
  example: {
    char_id: 'ada',
    files: [{ filename: 'hours.txt', media_type: 'text/plain', data: 'V2Ugb3BlbiBhdCBuaW5lLg==' }],
  },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/knowledge/files' },
  toolsets: ['knowledge'],
  learns: 'all',
  input: z.strictObject({
    char_id: z.string().max(128),
    files: z.array(File).min(1).max(filesAtMost),
  }),
  files: { member: 'files', most: filesAtMost },
  bodyBytes: encodedFileBytesAtMost,
  output: z.object({ items: z.array(KnowledgeItem) }),
  refuses: ['character_not_found', 'forbidden', 'write_conflict'],

  run({ char_id, files }, context) {
    const documents = files.map(({ filename, mediaType, bytes }) => {
      return { kind: 'file', title: titleOfFile(filename), mediaType, bytes } as const
    })
    return uploaded(context, char_id, documents, (items) => ({ items }))
  },
})
