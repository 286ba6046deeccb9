import { describeChapter } from '../chapter.ts'

describeChapter('a2a', 'accounts')
