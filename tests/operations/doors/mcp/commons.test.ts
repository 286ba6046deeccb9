import { describeChapter } from '../chapter.ts'

describeChapter('mcp', 'commons')
