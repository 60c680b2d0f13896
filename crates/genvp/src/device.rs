//! The device that `--device` asks for.

use burn::tensor::Device;
use genvp_model::{DeviceChoice, DeviceError};

use crate::console::Console;
use crate::failure::Failure;

/// Opens the device; a GPU or software adapter that was asked for by name must be there.
pub fn open(choice: DeviceChoice, console: &Console) -> Result<Device, Failure> {
    match choice.open() {
        Ok((device, note)) => {
            if let Some(note) = note {
                console.detail(&note);
            }
            Ok(device)
        }
        Err(DeviceError::NoGpu { index, found, hint }) => {
            Err(Failure::bad(format!("there is no GPU {index}: {found}")).hint(hint))
        }
        Err(DeviceError::NoSoftware { found, hint }) => {
            Err(Failure::bad(format!("there is no software adapter: {found}")).hint(hint))
        }
        Err(error) => Err(Failure::bad(error.to_string())),
    }
}
