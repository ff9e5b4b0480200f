import { Button, Modal } from '@mantine/core'
import { permissionWords } from '#features/admin/settings/web/permissionWords.ts'
import { listText, previewText, type GrantChange } from '#features/admin/settings/web/grants.ts'
import classes from '#features/admin/settings/web/roles.module.css'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'
import { useViewer } from '#web/session.ts'

interface Props {
  change: GrantChange
  onSave: () => void
  onClose: () => void
}

/** Dialog that says who gains or loses which permissions before the change is saved. */
export function GrantConfirm({ change, onSave, onClose }: Props) {
  const dialog = useDialog()
  const { role, grant, revoke } = change
  const isMine = useViewer()?.role_id === role.id
  return (
    <Modal {...dialog} opened onClose={onClose} title={`Change permissions of ${role.name}`} size="sm">
      <div className={classes.stack}>
        <p>{previewText(change)}.</p>
        {grant.length + revoke.length > 1 && (
          <ul>
            {grant.map((one) => (
              <li key={one}>Get “{permissionWords[one]}”</li>
            ))}
            {revoke.map((one) => (
              <li key={one}>Lose “{permissionWords[one]}”</li>
            ))}
          </ul>
        )}
        {role.people > 0 && <Soft small>{listText(role.members.map(({ name }) => name))}</Soft>}
        {isMine && <Soft small>You have this role.</Soft>}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button data-autofocus onClick={onSave}>
            Save
          </Button>
        </div>
      </div>
    </Modal>
  )
}
