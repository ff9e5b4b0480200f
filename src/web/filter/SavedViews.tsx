import { useState } from 'react'
import { Checkbox, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { requiredText } from '#shared/schemas.ts'
import { views, type SavedView } from '#shared/record.contract.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { toAddress } from '#web/list/address/fromAddress.ts'
import { Menu, MenuItem, MenuLine } from '#web/parts/Menu.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'
import { toast } from '#web/message/toast.ts'
import { useDialog } from '#web/parts/useDialog.ts'
import { useOpenView, type ViewedList } from '#web/filter/openView.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { storeDefaultViews } from '#web/session.ts'
import { LineList, LineName } from '#web/parts/LineList.tsx'

/** Stores this page's default view, which takes effect on the next visit. */
const keepDefault = (saved: readonly SavedView[]) => storeDefaultViews(saved, location.pathname)

/** Menu of a list's saved views, both the user's own and shared ones; opens, saves, and deletes them. */
export default function SavedViews({ list, at }: { list: ViewedList; at: MenuAt }) {
  const [dialog, setDialog] = useState<'save' | 'manage'>()
  const query = useQuery(queryOptionsFor(views.list, { query: { list: list.definition.name } }))
  const open = useOpenView(list)
  const saved = query.data?.data ?? []

  return (
    <>
      <Menu {...at} label="Views" end width={240}>
        {saved.map((view) => (
          <MenuItem key={view.id} onClick={() => open(view)} mark={viewNote(view)}>
            {view.name}
          </MenuItem>
        ))}
        {saved.length > 0 && <MenuLine />}
        <MenuItem onClick={() => setDialog('save')}>Save view</MenuItem>
        {saved.some(({ own }) => own) && (
          <MenuItem onClick={() => setDialog('manage')}>Manage views</MenuItem>
        )}
      </Menu>
      {dialog === 'save' && <SaveView list={list} onClose={() => setDialog(undefined)} />}
      {dialog === 'manage' && (
        <ManageViews views={saved.filter(({ own }) => own)} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}

/** Returns the note next to a view's name: whether it is the default, and whether or by whom it is shared. */
function viewNote({ own, shared, who, is_default }: SavedView) {
  const words = [is_default ? 'default' : undefined, shared ? (own ? 'shared' : who) : undefined]
    .filter(Boolean)
    .join(', ')
  return words ? (
    <Soft as="span" small>
      {words}
    </Soft>
  ) : undefined
}

const NewView = z.object({ name: requiredText(80), shared: z.boolean(), is_default: z.boolean() })

interface SaveViewProps {
  list: ViewedList
  title?: string
  onClose: () => void
}

/** Dialog that saves the list's filters, sort order, and columns as a view. */
export function SaveView({ list, title = 'Save view', onClose }: SaveViewProps) {
  const { send } = useSend(views.save, {
    failure: 'throw',
    onDone: ({ data }) => keepDefault(data),
  })
  const { all, isShown } = list.columns
  const optional = all.filter(({ hiddenAtFirst }) => hiddenAtFirst)
  const columns = {
    hidden_columns: all.filter((column) => !column.isCustom && !isShown(column)).map(({ id }) => id),
    shown_columns: optional.filter(isShown).map(({ id }) => id),
  }
  const form = useDraftForm({
    name: `view-${list.definition.name}`,
    initial: { name: '', shared: false, is_default: false },
    schema: NewView,
    onSave: async ({ name, shared, is_default }) => {
      const address = toAddress(list.definition.filters, {
        ...list.filters,
        page: undefined,
        open: undefined,
      })
      const body = {
        list: list.definition.name,
        path: location.pathname,
        name,
        shared,
        is_default,
        address: address as Record<string, string>,
        ...columns,
      }
      await send({ body })
      toast.success(`View ${name} saved.`)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={title} form={form} onClose={onClose}>
      <TextField
        form={form.fields}
        name="name"
        label="Name"
        description="Saves the filters, sort order, and columns."
        required
        autoFocus
        maxLength={80}
      />
      <Checkbox
        label="Share with everyone who can see this list"
        {...form.fields.getInputProps('shared', { type: 'checkbox' })}
      />
      <Checkbox label="Use as default" {...form.fields.getInputProps('is_default', { type: 'checkbox' })} />
    </FormModal>
  )
}

function ManageViews({ views: own, onClose }: { views: readonly SavedView[]; onClose: () => void }) {
  const dialog = useDialog()
  const { send, sending } = useSend(views.remove, {
    onDone: ({ message, data }) => {
      keepDefault(data)
      toast.success(message)
    },
  })
  const { send: save, sending: saving } = useSend(views.save, {
    onDone: ({ data }) => keepDefault(data),
  })
  // The view is saved unchanged, except for the default flag.
  const turnDefault = ({ list, path, name, shared, is_default, address, ...view }: SavedView) =>
    save({
      body: {
        list,
        path: path || location.pathname,
        name,
        shared,
        is_default: !is_default,
        address: address as Record<string, string>,
        hidden_columns: view.hidden_columns,
        shown_columns: view.shown_columns,
      },
    })

  return (
    <Modal {...dialog} opened onClose={onClose} title="Your views">
      <LineList>
        {own.map((view) => (
          <li key={view.id}>
            <LineName>{view.name}</LineName>
            <LinkButton
              disabled={saving}
              aria-pressed={view.is_default}
              onClick={() => void turnDefault(view)}
            >
              {view.is_default ? 'Default view' : 'Use as default'}
            </LinkButton>
            <LinkButton
              disabled={sending}
              onClick={() => void send({ params: { id: view.id } })}
              aria-label={`Delete ${view.name}`}
            >
              Delete
            </LinkButton>
          </li>
        ))}
      </LineList>
    </Modal>
  )
}
