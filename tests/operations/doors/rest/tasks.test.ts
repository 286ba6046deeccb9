import { describeChapter } from '../chapter.ts'

describeChapter('rest', 'tasks')
