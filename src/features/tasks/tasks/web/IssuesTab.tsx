import { use, useEffect, useState } from 'react'
import { Button } from '@mantine/core'
import IconBug from '@tabler/icons-react/dist/esm/icons/IconBug.mjs'
import { recordNotes } from '#shared/notes.contract.ts'
import type { Task } from '#features/tasks/tasks/contract.ts'
import { issueAnchor, issues, NewIssueBody, type TaskIssue } from '#features/tasks/tasks/issues.contract.ts'
import { hasIssueBoxes, maySaveIssues, mayWriteIssues } from '#features/tasks/tasks/rules.ts'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Composer } from '#web/composer/Composer.tsx'
import { ComposerForm, SubmitButton } from '#web/composer/ComposerForm.tsx'
import { useMentionable } from '#web/composer/useMentionable.ts'
import { MentionText } from '#web/composer/MentionText.tsx'
import { InnerContext } from '#web/form/inner.ts'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useViewer } from '#web/session.ts'
import { useTarget } from '#web/stream/useTarget.ts'
import { toast } from '#web/message/toast.ts'

export interface Ticks {
  statusOf: (issue: TaskIssue) => number
  changed: readonly TaskIssue[]
  tick: (issue: TaskIssue, status: number) => void
  clear: () => void
}

/** Keeps unsaved check box changes, which survive switching tabs; the dialog asks before discarding them. */
export function useTicks(task: Task): Ticks {
  const around = use(InnerContext)
  const [ticked, setTicked] = useState<Record<number, number>>({})
  const statusOf = (issue: TaskIssue) => ticked[issue.id] ?? issue.status
  const changed = (task.qa_issue ?? []).filter((issue) => statusOf(issue) !== issue.status)
  const isChanged = changed.length > 0
  useEffect(() => (isChanged ? around.typed(() => setTicked({})) : undefined), [isChanged, around])
  return {
    statusOf,
    changed,
    tick: (issue, status) => setTicked((before) => ({ ...before, [issue.id]: status })),
    clear: () => setTicked({}),
  }
}

/**
 * Issues found by QA. Some roles create and reopen issues, and others check them off and save, exactly as
 * specified in B §2.
 */
export function IssuesTab({ task, ticks, onClose }: { task: Task; ticks: Ticks; onClose: () => void }) {
  const viewer = useViewer()
  const all = task.qa_issue ?? []
  const { statusOf, changed, tick, clear } = ticks
  const { send, sending } = useSend(issues.setStatus)
  const target = useTarget(all.map(({ id }) => ({ id: issueAnchor(id) })))
  if (!viewer) return null
  const role = viewer.role_id
  const [hasBoxes, maySave, mayWrite] = [hasIssueBoxes(role), maySaveIssues(role), mayWriteIssues(role)]

  async function save(): Promise<void> {
    for (const issue of changed) {
      const reply = await send({ body: { id: issue.id, status: statusOf(issue) as 0 | 1, task_id: task.id } })
      if (!reply) return
    }
    clear()
    toast.success('Task status updated successfully!')
  }

  return (
    <>
      {all.length === 0 && <p className={classes.none}>No Issue Found</p>}
      <ul className={classes.issues}>
        {all.map((issue) => (
          <li
            key={issue.id}
            id={issueAnchor(issue.id)}
            data-target={target === issueAnchor(issue.id) || undefined}
          >
            {hasBoxes ? (
              <label>
                <input
                  type="checkbox"
                  checked={statusOf(issue) === 1}
                  disabled={!maySave}
                  onChange={(event) => tick(issue, event.currentTarget.checked ? 1 : 0)}
                />{' '}
                {statusOf(issue) === 1 ? <s>{issue.task_issue}</s> : issue.task_issue}
              </label>
            ) : (
              <>
                <span>{issue.task_issue}</span>{' '}
                <span className={classes.none}>{issue.status === 1 ? 'Resolved' : 'Open'}</span>
              </>
            )}
            {mayWrite && issue.status === 1 && <Reopen issue={issue} task={task} />}
          </li>
        ))}
      </ul>
      {mayWrite && <IssueComposer task={task} />}
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
  const { send, sending } = useSend(issues.setStatus, {
    onDone: ({ message }) => toast.success(message),
  })
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={sending}
      onClick={() => void send({ body: { id: issue.id, status: 0, task_id: task.id } })}
    >
      Reopen
    </Button>
  )
}

const IssueComposer = ({ task }: { task: Task }) => (
  <Composer
    chosen="issue"
    onChoose={() => {}}
    tabs={[
      {
        id: 'issue',
        label: 'Issue',
        icon: <IconBug size={14} stroke={1.5} aria-hidden />,
        content: <IssueForm task={task} />,
      },
    ]}
  />
)

function IssueForm({ task }: { task: Task }) {
  const { send } = useSend(issues.add, { failure: 'throw' })
  const [isUsed, setUsed] = useState(false)
  const { people, mentionedIds } = useMentionable({
    ...queryOptionsFor(recordNotes.readers, { params: { a: 'task', b: task.id } }),
    enabled: isUsed,
  })
  const form = useDraftForm({
    name: `issue-new-${task.id}`,
    initial: { task_issue: '' },
    schema: NewIssueBody,
    toSend: (values) => ({ ...values, task_id: task.id }),
    onSave: async (values) => {
      const { task_issue } = values
      const tag_user = await mentionedIds(task_issue)
      const reply = await send({
        body: { task_id: task.id, task_issue, ...(tag_user.length > 0 && { tag_user }) },
      })
      if (!reply) return
      toast.success(reply.message)
      form.discardSent(values)
    },
  })
  return (
    <ComposerForm
      label="Issue"
      form={form}
      acts={<SubmitButton form={form}>Add issue</SubmitButton>}
      // The people load once the form is used.
      onUsed={() => setUsed(true)}
    >
      <MentionText
        label="New issue"
        placeholder="Describe what is wrong. Type @ to mention someone."
        maxLength={5000}
        people={people}
        {...form.fields.getInputProps('task_issue')}
      />
    </ComposerForm>
  )
}
