import { useEffect } from 'react'
import { Button, Modal } from '@mantine/core'
import classes from '#web/shell/MessageBox.module.css'
import { messageBoxMs, type Message } from '#web/shell/messages.ts'
import { useDialog } from '#web/shell/useDialog.ts'

export default function MessageDialog({ message }: { message: Message }) {
  const dialog = useDialog()
  // From here, where it is seen: the code of this dialog may have taken longer than that to come.
  useEffect(() => {
    if (message.needsConfirmation) return
    const timer = setTimeout(() => message.answer(false), messageBoxMs)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <Modal
      {...dialog}
      opened
      onClose={() => message.answer(false)}
      title={message.needsConfirmation ? 'Please confirm' : 'Message'}
      size="sm"
      zIndex={350}
      closeOnClickOutside={!message.needsConfirmation}
      centered
    >
      <p className={classes.text} role={message.needsConfirmation ? undefined : 'alert'}>
        {message.text}
      </p>
      {message.needsConfirmation && (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => message.answer(false)}>
            Cancel
          </Button>
          <Button data-autofocus onClick={() => message.answer(true)}>
            Proceed
          </Button>
        </div>
      )}
    </Modal>
  )
}
