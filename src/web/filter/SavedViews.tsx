import { Suspense, useState } from 'react'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { requiredText } from '#shared/schemas.ts'
import { views, type SavedView } from '#shared/views.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { Menu, MenuItem, MenuLine } from '#web/parts/Menu.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'
import { toast } from '#web/message/toast.ts'
import { contentOf, useOpenView, type ViewedList } from '#web/filter/openView.ts'
import type { OpenedView } from '#web/filter/useOpenedView.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { storeDefaultViews } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const ManageViews = lazyPart(() => import('#web/filter/ManageViews.tsx'))

interface Props {
  list: ViewedList
  opened: OpenedView | undefined
  at: MenuAt
}

/** Menu of a list's saved views, both the user's own and shared ones; opens, saves, and updates them. */
export default function SavedViews({ list, opened, at }: Props) {
  const [dialog, setDialog] = useState<'save' | 'manage'>()
  const query = useQuery(queryOptionsFor(views.list, { query: { list: list.definition.name } }))
  const open = useOpenView(list)
  const saved = query.data?.data ?? []
  const choose = (view: SavedView) => {
    opened?.noteOpened(view)
    open(view)
  }

  return (
    <>
      <Menu {...at} label="Views" end width={240}>
        {saved.map((view) => (
          <MenuItem
            key={view.id}
            onClick={() => choose(view)}
            mark={viewNote(view)}
            current={view.id === opened?.view?.id}
          >
            {view.name}
          </MenuItem>
        ))}
        {saved.length > 0 && <MenuLine />}
        {opened && <OpenViewItems list={list} opened={opened} onReset={choose} />}
        <MenuItem onClick={() => setDialog('save')}>{opened ? 'Save as new view' : 'Save view'}</MenuItem>
        {saved.length > 0 && <MenuItem onClick={() => setDialog('manage')}>Manage views</MenuItem>}
      </Menu>
      {dialog === 'save' && <SaveView list={list} onClose={() => setDialog(undefined)} />}
      {dialog === 'manage' && (
        <Suspense>
          <ManageViews views={saved} openedId={opened?.view?.id} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </>
  )
}

interface OpenViewProps {
  list: ViewedList
  opened: OpenedView
  onReset: (view: SavedView) => void
}

/** Items that update the open view, open it again, and leave it. */
function OpenViewItems({ list, opened: { view, version, isChanged, changedBy }, onReset }: OpenViewProps) {
  const navigate = useNavigate()
  const { send, sending } = useSend(views.update, {
    onDone: ({ data }) => {
      storeDefaultViews(data, location.pathname)
      if (view) toast.success(`View ${view.name} updated.`)
    },
  })
  const leave = () =>
    void navigate({
      to: '.',
      search: ({ saved_view: _, ...search }: Record<string, unknown>) => search as object,
    })
  return (
    <>
      {view && isChanged && view.may_change && changedBy === undefined && (
        <MenuItem
          disabled={sending}
          onClick={() => void send({ params: { id: view.id }, body: { version, ...contentOf(list) } })}
        >
          Update view
        </MenuItem>
      )}
      {view && isChanged && (
        <MenuItem onClick={() => onReset(view)}>
          {changedBy === undefined ? 'Discard changes' : `Show the changes by ${changedBy}`}
        </MenuItem>
      )}
      <MenuItem onClick={leave}>Close view</MenuItem>
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

/** Dialog that saves the list's filters, sort order, and columns as a view, which is open then. */
export function SaveView({ list, title = 'Save view', onClose }: SaveViewProps) {
  const navigate = useNavigate()
  const { send } = useSend(views.save, {
    failure: 'throw',
    onDone: ({ data }) => storeDefaultViews(data, location.pathname),
  })
  const form = useDraftForm({
    name: `view-${list.definition.name}`,
    initial: { name: '', shared: false, is_default: false },
    schema: NewView,
    onSave: async (values) => {
      const reply = await send({
        body: {
          list: list.definition.name,
          path: location.pathname,
          ...values,
          ...contentOf(list),
        },
      })
      toast.success(`View ${values.name} saved.`)
      if (reply)
        await navigate({
          to: '.',
          search: (search: object) => ({ ...search, saved_view: reply.id }),
          replace: true,
        })
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
