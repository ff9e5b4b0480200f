import { useState } from 'react'
import { Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { requiredText } from '#shared/schemas.ts'
import { views, type SavedView } from '#shared/views.contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { TextField } from '#web/form/inputs.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { LineList, LineName } from '#web/parts/LineList.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'
import { storeDefaultViews } from '#web/session.ts'

/** Stores this page's default view, which takes effect on the next visit. */
const keepDefault = ({ data }: { data: readonly SavedView[] }) => storeDefaultViews(data, location.pathname)

interface Props {
  views: readonly SavedView[]
  /** The view that is open on the list. */
  openedId: number | undefined
  onClose: () => void
}

/** Dialog with all views of a list: renames, shares, and deletes those that the user can change. */
export default function ManageViews({ views: all, openedId, onClose }: Props) {
  const dialog = useDialog()
  const [renamed, setRenamed] = useState<SavedView>()
  return (
    <>
      <Modal {...dialog} opened onClose={onClose} title="Manage views" size="lg">
        <LineList>
          {all.map((view) => (
            <li key={view.id}>
              <LineName>
                {view.name}
                {!view.own && <Soft small>{`Shared by ${view.who}`}</Soft>}
              </LineName>
              <DefaultButton view={view} />
              {view.may_change && (
                <>
                  <LinkButton onClick={() => setRenamed(view)} aria-label={`Rename ${view.name}`}>
                    Rename
                  </LinkButton>
                  <ShareButton view={view} />
                  <DeleteButton view={view} isOpen={view.id === openedId} />
                </>
              )}
            </li>
          ))}
        </LineList>
      </Modal>
      {renamed && <RenameView view={renamed} onClose={() => setRenamed(undefined)} />}
    </>
  )
}

function DefaultButton({ view: { id, name, is_default } }: { view: SavedView }) {
  const { send, sending } = useSend(views.setDefault, { onDone: keepDefault })
  return (
    <LinkButton
      disabled={sending}
      aria-pressed={is_default}
      aria-label={is_default ? `Default view: ${name}` : `Use as default: ${name}`}
      onClick={() => void send({ params: { id }, body: { is_default: !is_default } })}
    >
      {is_default ? 'Default view' : 'Use as default'}
    </LinkButton>
  )
}

function ShareButton({ view: { id, name, version, own, who, shared } }: { view: SavedView }) {
  const { send, sending } = useSend(views.update, {
    onDone: () => toast.success(shared ? `${name} isn’t shared anymore.` : `${name} is shared.`),
  })
  async function toggle(): Promise<void> {
    const isLost = shared && !own
    if (
      isLost &&
      !(await askToProceed(`Stop sharing “${name}”?`, { detail: `Only ${who} will see it then.` }))
    )
      return
    await send({ params: { id }, body: { version, shared: !shared } })
  }
  return (
    <LinkButton
      disabled={sending}
      aria-label={shared ? `Stop sharing ${name}` : `Share ${name}`}
      onClick={() => void toggle()}
    >
      {shared ? 'Stop sharing' : 'Share'}
    </LinkButton>
  )
}

function DeleteButton({ view: { id, name, shared }, isOpen }: { view: SavedView; isOpen: boolean }) {
  const navigate = useNavigate()
  const { send, sending } = useSend(views.remove)
  async function remove(): Promise<void> {
    const detail = shared ? 'Everyone who can see this list loses it.' : 'This can’t be undone.'
    if (
      !(await askToProceed(`Delete the view “${name}”?`, { detail, isRisky: true, proceedLabel: 'Delete' }))
    )
      return
    const reply = await send({ params: { id } })
    if (!reply) return
    keepDefault(reply)
    toast.success(reply.message)
    if (isOpen)
      await navigate({
        to: '.',
        search: ({ saved_view: _, ...search }: Record<string, unknown>) => search as object,
        replace: true,
      })
  }
  return (
    <LinkButton disabled={sending} onClick={() => void remove()} aria-label={`Delete ${name}`}>
      Delete
    </LinkButton>
  )
}

const NewName = z.object({ name: requiredText(80) })

function RenameView({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const { send } = useSend(views.update, { failure: 'throw' })
  const form = useDraftForm({
    name: `rename-view-${view.id}`,
    initial: { name: view.name },
    schema: NewName,
    onSave: ({ name }) => send({ params: { id: view.id }, body: { version: view.version, name } }),
    onSaved: onClose,
  })
  return (
    <FormModal title="Rename view" form={form} onClose={onClose} saveLabel="Rename">
      <TextField form={form.fields} name="name" label="Name" required autoFocus maxLength={80} />
    </FormModal>
  )
}
