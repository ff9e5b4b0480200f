import { useState } from 'react'
import { Button } from '@mantine/core'
import { issues, type Task, type TaskIssue } from '#features/tasks/tasks/contract.ts'
import { hasIssueBoxes, maySaveIssues, mayWriteIssues } from '#features/tasks/tasks/rules.ts'
import { taskReads } from '#features/tasks/tasks/web/refresh.ts'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { useSend } from '#web/api/useSend.ts'
import { useViewer } from '#web/session.ts'
import { toast } from '#web/shell/toast.ts'

/** What QA found: written and reopened by some, ticked and saved by others, to the letter of B §2. */
export function IssuesTab({ task, onClose }: { task: Task; onClose: () => void }) {
  const viewer = useViewer()
  const all = task.qa_issue ?? []
  const [ticked, setTicked] = useState<Record<number, number>>({})
  const { send, sending } = useSend(issues.setStatus, { refresh: taskReads })
  if (!viewer) return null
  const role = viewer.role_id
  const [hasBoxes, maySave, mayWrite] = [hasIssueBoxes(role), maySaveIssues(role), mayWriteIssues(role)]
  const statusOf = (issue: TaskIssue) => ticked[issue.id] ?? issue.status
  const changed = all.filter((issue) => statusOf(issue) !== issue.status)

  async function save(): Promise<void> {
    for (const issue of changed) {
      const reply = await send({ body: { id: issue.id, status: statusOf(issue) as 0 | 1, task_id: task.id } })
      if (!reply) return
    }
    setTicked({})
    toast.success('Task status updated successfully!')
  }

  return (
    <>
      {all.length === 0 && <p className={classes.none}>No Issue Found</p>}
      <ul className={classes.issues}>
        {all.map((issue) => (
          <li key={issue.id}>
            {hasBoxes ? (
              <label>
                <input
                  type="checkbox"
                  checked={statusOf(issue) === 1}
                  disabled={!maySave}
                  onChange={(event) => setTicked({ ...ticked, [issue.id]: event.currentTarget.checked ? 1 : 0 })}
                />{' '}
                {statusOf(issue) === 1 ? <s>{issue.task_issue}</s> : issue.task_issue}
              </label>
            ) : (
              <>
                <span>{issue.task_issue}</span> <span className={classes.none}>{issue.status === 1 ? 'Resolved' : 'Open'}</span>
              </>
            )}
            {mayWrite && issue.status === 1 && <Reopen issue={issue} task={task} />}
          </li>
        ))}
      </ul>
      {mayWrite && <NewIssue task={task} />}
      {maySave && (
        <span className={classes.acts}>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button loading={sending} disabled={changed.length === 0} onClick={() => void save()}>
            Save
          </Button>
        </span>
      )}
    </>
  )
}

function Reopen({ issue, task }: { issue: TaskIssue; task: Task }) {
  const { send, sending } = useSend(issues.setStatus, { refresh: taskReads, onDone: ({ message }) => toast.success(message) })
  return (
    <Button size="compact-xs" variant="default" loading={sending} onClick={() => void send({ body: { id: issue.id, status: 0, task_id: task.id } })}>
      Reopen
    </Button>
  )
}

function NewIssue({ task }: { task: Task }) {
  const [text, setText] = useState('')
  const { send, sending } = useSend(issues.add, {
    refresh: taskReads,
    onDone: ({ message }) => {
      setText('')
      toast.success(message)
    },
  })
  return (
    <form
      className={classes.newIssue}
      onSubmit={(event) => {
        event.preventDefault()
        void send({ body: { task_id: task.id, task_issue: text } })
      }}
    >
      <textarea
        className={classes.dayInput}
        aria-label="New issue"
        rows={2}
        value={text}
        maxLength={5000}
        required
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={sending}>
        Add issue
      </Button>
    </form>
  )
}
