curl --request PUT http://127.0.0.1:8888/v1/accounts/ada \
  --header "Content-Type: application/json" \
  --data '{"data": {"password": "secret"}}'
