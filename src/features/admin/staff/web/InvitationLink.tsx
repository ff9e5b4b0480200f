import { Alert, Button, Modal } from '@mantine/core'
import { copyText } from '#web/copyText.ts'
import { useDialog } from '#web/parts/useDialog.ts'

/** Dialog with the link of an invitation that can’t be emailed; it is shown only once. */
export function InvitationLink({ link, onClose }: { link: string; onClose: () => void }) {
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} title="Invitation queued">
      <Alert color="yellow">
        Email isn’t set up, so the invitation is queued. Share this link yourself instead. It works once and
        expires in 48 hours.
      </Alert>
      <p>
        <code style={{ overflowWrap: 'anywhere' }}>{link}</code>
      </p>
      <Button variant="default" onClick={() => void copyText(link, 'Link copied.')}>
        Copy link
      </Button>
    </Modal>
  )
}
