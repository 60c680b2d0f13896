//! Weights that know nothing.

use burn::tensor::Device;
use genvp_model::AnyModel;
use genvp_puzzle::Stream;

/// The numbers of every tensor whose name begins so, in another order.
pub fn scrambled(bytes: &[u8], part: &str, device: &Device) -> AnyModel {
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let table: serde_json::Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let (head, data) = bytes.split_at(8 + length);
    let mut data = data.to_vec();
    let mut changed = 0;
    for (name, tensor) in table.as_object().unwrap() {
        let Some([from, to]) = tensor["data_offsets"].as_array().map(Vec::as_slice) else {
            continue;
        };
        if !name.starts_with(part) {
            continue;
        }
        let own = &mut data[from.as_u64().unwrap() as usize..to.as_u64().unwrap() as usize];
        let mut numbers: Vec<[u8; 4]> = own.as_chunks().0.to_vec();
        Stream::new(1, name, 0).shuffle(&mut numbers);
        own.copy_from_slice(numbers.as_flattened());
        changed += 1;
    }
    assert!(changed > 0, "there is no tensor {part}");
    AnyModel::from_bytes(&[head, &data].concat(), device).unwrap().0
}
