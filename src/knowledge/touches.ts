import { documentName, loopName, touch } from '#src/core/told/touch.ts'

/** What agents are to read, or to forget; and each item, for callers that follow how it stands. */
export const knowledgeTouches = [
  touch({
    in: 'knowledge_items',
    ofDeleted: true,
    names({ id }, how) {
      const names = how === 'inserted' || how === 'replaced' ? [loopName('knowledge')] : []
      const isSeen = typeof how === 'string' ? how !== 'inserted' : how.has('status')
      return isSeen ? [...names, documentName('knowledge_items', id)] : names
    },
  }),
  touch({
    in: 'knowledge_remains',
    names: (_, how) => (how === 'inserted' ? [loopName('knowledge')] : []),
  }),
]
