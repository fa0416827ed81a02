"""Makes the table that a template.yaml has, at another address than AWS's, with one item in it.

    python xtask/python/table.py TEMPLATE ITEM ADDRESS

`cargo xtask test --only templates` runs it with the Python that has SAM, and so boto3."""

import json
import sys
from pathlib import Path

import boto3
from samcli.yamlhelper import yaml_parse

template, item, address = sys.argv[1:]
table = yaml_parse(Path(template).read_text())["Resources"]["Orders"]["Properties"]
client = boto3.client(
    "dynamodb",
    endpoint_url=address,
    region_name="eu-central-1",
    aws_access_key_id="example",
    aws_secret_access_key="example",
)
made = {name: table[name] for name in ("AttributeDefinitions", "KeySchema", "BillingMode")}
client.create_table(TableName="orders", **made)
client.get_waiter("table_exists").wait(TableName="orders", WaiterConfig={"Delay": 1, "MaxAttempts": 20})
client.put_item(TableName="orders", Item=json.loads(Path(item).read_text()))
